import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// `service/store.json`: the manifest of a store. Written at its first start and changed only by re-keying and legacy
/// imports.
package struct StoreStamp: VersionedDocument {
    package var version: Int
    package let environment: DeploymentEnvironment
    /// The layout of `docs/storage-layout.md`.
    package let layout: Int
    package private(set) var subjects: SubjectSpelling.Mode
    /// The master key under which subjects are hashed.
    package private(set) var subjectKeyID: String
    /// A check value of that key: with another key of the same id, every hashed identity would appear to be free. `nil`
    /// in layout 1.
    private var subjectKeyCheck: String?
    package let createdAt: Date
    /// The re-keying in progress.
    package private(set) var migration: SubjectMigration?
    /// The legacy import in progress.
    package private(set) var layoutMove: LayoutMove?

    /// The layout that this code reads and writes.
    package static let currentLayout = 3

    /// Creates the manifest of a new store, with the current key for hashed subjects.
    init(
        environment: DeploymentEnvironment, subjects: SubjectSpelling.Mode, keyRing: KeyRing, createdAt: Date
    ) throws(SecretsError) {
        version = 1
        self.environment = environment
        layout = Self.currentLayout
        self.subjects = subjects
        subjectKeyID = keyRing.currentKeyID
        subjectKeyCheck = try keyRing.checkValue(of: subjectKeyID)
        self.createdAt = createdAt
    }

    func check(_ environment: DeploymentEnvironment, _ subjects: SubjectSpelling.Mode?) throws(StoreStampError) {
        guard layout == Self.currentLayout else { throw .otherLayout(layout) }
        guard self.environment == environment else { throw .otherEnvironment(self.environment) }
        guard subjects == nil || self.subjects == subjects || migration?.subjects == subjects else {
            throw .otherSubjects(self.subjects)
        }
    }

    func check(_ keyRing: KeyRing) throws(StoreStampError) {
        try Self.check(subjectKeyID, subjectKeyCheck, keyRing)
        if let migration { try Self.check(migration.subjectKeyID, migration.subjectKeyCheck, keyRing) }
    }

    private static func check(_ id: String, _ expected: String?, _ keyRing: KeyRing) throws(StoreStampError) {
        guard let found = try? keyRing.checkValue(of: id) else { throw .missingKey(id) }
        guard found == expected else { throw .otherKey(id) }
    }

    /// Throws if a legacy import or its undo is in progress, so that only part of the objects are at their keys.
    func checkServable() throws(StoreStampError) {
        if let layoutMove, !layoutMove.phase.isServable { throw .beingMoved(layoutMove.phase) }
    }

    /// Returns the manifest with an import in another phase, or without one.
    func moving(_ move: LayoutMove?) -> StoreStamp {
        var next = self
        next.layoutMove = move
        return next
    }

    /// Returns the manifest with re-keying begun.
    func migrating(_ migration: SubjectMigration) -> StoreStamp {
        var next = self
        next.migration = migration
        return next
    }

    /// Returns the manifest with re-keying in another phase.
    func entering(_ phase: SubjectMigration.Phase, at now: Date) -> StoreStamp {
        var next = self
        next.migration?.enter(phase, at: now)
        return next
    }

    /// Returns the manifest with re-keying ended; a confirmed one changes the key encoding.
    func ended() -> StoreStamp {
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
package enum StoreStampError: Error, Equatable, Sendable {
    /// A snapshot is being written into the store, or was in part.
    case beingRecovered
    /// A legacy import or its undo is in progress; only part of the objects are at their keys.
    case beingMoved(LayoutMove.Phase)
    /// There is no manifest, but an identity binding of a legacy layout at this key. Its users would appear to be new.
    case olderLayout(String)
    /// There is no manifest, but an account object at this key.
    case stampLost(String)
    /// The store belongs to another environment.
    case otherEnvironment(DeploymentEnvironment)
    /// The store uses the other key encoding.
    case otherSubjects(SubjectSpelling.Mode)
    /// The store's layout is not supported by this version.
    case otherLayout(Int)
    /// The master key with this id, under which the store's subjects are hashed, is not configured.
    case missingKey(String)
    /// The configured master key with this id differs from the one under which the store's subjects are hashed.
    case otherKey(String)
}

extension StoreStamp {
    /// Writes the manifest of a new store, or checks the existing one.
    /// - Parameters:
    ///   - subjects: the requested key encoding; `nil` for the store's own, or plain in a new store.
    ///   - keyRing: called only if the rest of the manifest matches.
    /// - Throws: `StoreStampError`, `ObjectStoreError` if the store fails, and errors of `keyRing`.
    /// - Returns: the store manifest.
    package static func check(
        _ store: any ObjectStore, retry: RetryPolicy, environment: DeploymentEnvironment,
        subjects: SubjectSpelling.Mode?, keyRing: () throws -> KeyRing, now: Date
    ) async throws -> StoreStamp {
        guard try await store.head(RecoveryMarker.key) == nil else { throw StoreStampError.beingRecovered }
        let documents = Documents<StoreStamp>(store: store, retry: retry)
        if let known = try await documents.load(key) {
            try known.value.check(environment, subjects)
            try known.value.checkServable()
            try known.value.check(try keyRing())
            return known.value
        }
        try await requireNew(store)
        let keys = try keyRing()
        let fresh = try StoreStamp(
            environment: environment, subjects: subjects ?? .plain, keyRing: keys, createdAt: now
        )
        let stamp = try await create(fresh, in: documents)
        try stamp.check(environment, subjects)
        try stamp.checkServable()
        try stamp.check(keys)
        return stamp
    }

    /// Returns the legacy import in progress in a store, without checking the rest of the manifest.
    package static func layoutMove(of store: any ObjectStore) async throws(ObjectStoreError) -> LayoutMove? {
        guard let stamp = try await store.get(key) else { return nil }
        guard let value = Documents<StoreStamp>.read(stamp.bytes) else { throw .corrupted(key.description) }
        return value.layoutMove
    }

    /// Throws if a store without a manifest contains identities or accounts and is therefore not new.
    static func requireNew(_ store: any ObjectStore) async throws {
        if let account = try await firstKey(StorageLayout.accounts, store) { throw StoreStampError.stampLost(account) }
        if let claim = try await firstKey(StorageLayout.identities, store) {
            throw StoreStampError.olderLayout(claim)
        }
    }

    private static func firstKey(_ prefix: String, _ store: any ObjectStore) async throws -> String? {
        try await store.list(prefix: prefix, after: nil, limit: 1).objects.first?.key.description
    }

    /// Creates the manifest and returns the stored one; another instance may have created it first.
    private static func create(
        _ fresh: StoreStamp, in documents: Documents<StoreStamp>
    ) async throws(ObjectStoreError) -> StoreStamp {
        do {
            return try await documents.create(key, fresh).value
        } catch .preconditionFailed {
            guard let winner = try await documents.load(key) else { throw .corrupted(key.description) }
            return winner.value
        }
    }

    static let key = ObjectKey(known: StorageLayout.storeStamp)
}
