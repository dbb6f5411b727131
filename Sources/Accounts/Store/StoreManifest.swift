import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// `service/store.json`: the manifest of a store. Written at its first start and changed only by re-keying and legacy
/// imports.
package struct StoreManifest: VersionedDocument {
    package var version: Int
    package let environment: DeploymentEnvironment
    /// The layout of `docs/storage-layout.md`.
    package let layout: Int
    package private(set) var subjects: KeyEncoding.Mode
    /// The master key under which subjects are hashed.
    package private(set) var subjectKeyID: String
    /// A check value of that key: with another key of the same id, every hashed identity would appear to be free. `nil`
    /// in layout 1.
    private var subjectKeyCheck: String?
    package let createdAt: Date
    /// The re-keying in progress.
    package private(set) var migration: RekeyingState?
    /// The legacy import in progress.
    package private(set) var layoutMove: LegacyImportState?

    /// The layout that this code reads and writes.
    package static let currentLayout = 3

    /// Creates the manifest of a new store, with the current key for hashed subjects.
    package init(
        environment: DeploymentEnvironment, subjects: KeyEncoding.Mode, keyRing: KeyRing, createdAt: Date
    ) throws(SecretsError) {
        version = 1
        self.environment = environment
        layout = Self.currentLayout
        self.subjects = subjects
        subjectKeyID = keyRing.currentKeyID
        subjectKeyCheck = try keyRing.checkValue(of: subjectKeyID)
        self.createdAt = createdAt
    }

    package func check(_ environment: DeploymentEnvironment, _ subjects: KeyEncoding.Mode?) throws(StoreManifestError) {
        guard layout == Self.currentLayout else { throw .layoutMismatch(layout) }
        guard self.environment == environment else { throw .environmentMismatch(self.environment) }
        guard subjects == nil || self.subjects == subjects || migration?.subjects == subjects else {
            throw .keyEncodingMismatch(self.subjects)
        }
    }

    package func check(_ keyRing: KeyRing) throws(StoreManifestError) {
        try Self.check(subjectKeyID, subjectKeyCheck, keyRing)
        if let migration { try Self.check(migration.subjectKeyID, migration.subjectKeyCheck, keyRing) }
    }

    private static func check(_ id: String, _ expected: String?, _ keyRing: KeyRing) throws(StoreManifestError) {
        guard let found = try? keyRing.checkValue(of: id) else { throw .missingKey(id) }
        guard found == expected else { throw .keyMismatch(id) }
    }

    /// Throws if a legacy import or its undo is in progress, so that only part of the objects are at their keys.
    func checkServable() throws(StoreManifestError) {
        if let layoutMove, !layoutMove.phase.isServable { throw .legacyImportInProgress(layoutMove.phase) }
    }

    /// Returns the manifest with an import in another phase, or without one.
    package func withLegacyImport(_ move: LegacyImportState?) -> StoreManifest {
        var next = self
        next.layoutMove = move
        return next
    }

    /// Returns the manifest with re-keying begun.
    package func withRekeying(_ migration: RekeyingState) -> StoreManifest {
        var next = self
        next.migration = migration
        return next
    }

    /// Returns the manifest with re-keying in another phase.
    package func withRekeyingPhase(_ phase: RekeyingState.Phase, at now: Date) -> StoreManifest {
        var next = self
        next.migration?.enter(phase, at: now)
        return next
    }

    /// Returns the manifest with re-keying ended; a confirmed one changes the key encoding.
    package func withRekeyingEnded() -> StoreManifest {
        var next = self
        if let migration, migration.phase == .confirmed {
            next.subjects = migration.subjects
            next.subjectKeyID = migration.subjectKeyID
            next.subjectKeyCheck = migration.subjectKeyCheck
        }
        next.migration = nil
        return next
    }
}

/// Why a server must not start on a store.
package enum StoreManifestError: Error, Equatable, Sendable {
    /// A snapshot is being written into the store, or was in part.
    case recoveryInProgress
    /// A legacy import or its undo is in progress; only part of the objects are at their keys.
    case legacyImportInProgress(LegacyImportState.Phase)
    /// There is no manifest, but an identity binding of a legacy layout at this key. Its users would appear to be new.
    case legacyLayout(String)
    /// There is no manifest, but an account object at this key.
    case manifestMissing(String)
    /// The store belongs to another environment.
    case environmentMismatch(DeploymentEnvironment)
    /// The store uses the other key encoding.
    case keyEncodingMismatch(KeyEncoding.Mode)
    /// The store's layout is not supported by this version.
    case layoutMismatch(Int)
    /// The master key with this id, under which the store's subjects are hashed, is not configured.
    case missingKey(String)
    /// The configured master key with this id differs from the one under which the store's subjects are hashed.
    case keyMismatch(String)
}

extension StoreManifest {
    /// Writes the manifest of a new store, or checks the existing one.
    /// - Parameters:
    ///   - subjects: the requested key encoding; `nil` for the store's own, or plain in a new store.
    ///   - keyRing: called only if the rest of the manifest matches.
    /// - Throws: `StoreManifestError`, `ObjectStoreError` if the store fails, and errors of `keyRing`.
    /// - Returns: the store manifest.
    package static func check(
        _ store: any ObjectStore, retry: RetryPolicy, environment: DeploymentEnvironment,
        subjects: KeyEncoding.Mode?, keyRing: () throws -> KeyRing, now: Date
    ) async throws -> StoreManifest {
        guard try await store.head(RecoveryMarker.key) == nil else { throw StoreManifestError.recoveryInProgress }
        let documents = Documents<StoreManifest>(store: store, retry: retry)
        if let known = try await documents.load(key) {
            try known.value.check(environment, subjects)
            try known.value.checkServable()
            try known.value.check(try keyRing())
            return known.value
        }
        try await requireNew(store)
        let keys = try keyRing()
        let new = try StoreManifest(
            environment: environment, subjects: subjects ?? .plain, keyRing: keys, createdAt: now
        )
        let manifest = try await create(new, in: documents)
        try manifest.check(environment, subjects)
        try manifest.checkServable()
        try manifest.check(keys)
        return manifest
    }

    /// Returns the legacy import in progress in a store, without checking the rest of the manifest.
    package static func legacyImport(of store: any ObjectStore) async throws(ObjectStoreError) -> LegacyImportState? {
        guard let manifest = try await store.get(key) else { return nil }
        guard let value = Documents<StoreManifest>.decode(manifest.bytes) else { throw .corrupted(key.description) }
        return value.layoutMove
    }

    /// Throws if a store without a manifest contains identities or accounts and is therefore not new.
    static func requireNew(_ store: any ObjectStore) async throws {
        if let account = try await firstKey(StorageLayout.accounts, store) {
            throw StoreManifestError.manifestMissing(account)
        }
        if let legacyKey = try await firstKey(StorageLayout.identities, store) {
            throw StoreManifestError.legacyLayout(legacyKey)
        }
    }

    private static func firstKey(_ prefix: String, _ store: any ObjectStore) async throws -> String? {
        try await store.list(prefix: prefix, after: nil, limit: 1).objects.first?.key.description
    }

    /// Creates the manifest and returns the stored one; another instance may have created it first.
    private static func create(
        _ new: StoreManifest, in documents: Documents<StoreManifest>
    ) async throws(ObjectStoreError) -> StoreManifest {
        do {
            return try await documents.create(key, new).value
        } catch .preconditionFailed {
            guard let winner = try await documents.load(key) else { throw .corrupted(key.description) }
            return winner.value
        }
    }

    package static let key = ObjectKey(known: StorageLayout.storeManifest)
}
