import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// `service/store.json`: what a store was made for. Written at its first start, and changed by migrations alone.
package struct StoreStamp: VersionedDocument {
    package var version: Int
    package let environment: DeploymentEnvironment
    /// The layout of `docs/storage-layout.md`.
    package let layout: Int
    package private(set) var subjects: SubjectSpelling.Mode
    /// The master key under which subjects are hashed.
    package private(set) var subjectKeyID: String
    /// What only that key gives: under another key of the same id every hashed identity would look free. None in
    /// layout 1.
    private var subjectKeyCheck: String?
    package let createdAt: Date
    /// The move to another spelling that is under way.
    package private(set) var migration: SubjectMigration?
    /// The move from older layouts that is under way.
    package private(set) var layoutMove: LayoutMove?

    /// The layout that this code reads and writes.
    package static let currentLayout = 3

    /// A new store's: subjects are hashed under the current key from now on.
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

    /// Refuses a store of which only a part has its new place.
    func checkServable() throws(StoreStampError) {
        if let layoutMove, !layoutMove.phase.isServable { throw .beingMoved(layoutMove.phase) }
    }

    /// With a move from older layouts in another phase, or ended.
    func moving(_ move: LayoutMove?) -> StoreStamp {
        var next = self
        next.layoutMove = move
        return next
    }

    /// With a move to another spelling begun.
    func migrating(_ migration: SubjectMigration) -> StoreStamp {
        var next = self
        next.migration = migration
        return next
    }

    /// With the move in another phase.
    func entering(_ phase: SubjectMigration.Phase, at now: Date) -> StoreStamp {
        var next = self
        next.migration?.enter(phase, at: now)
        return next
    }

    /// With the move ended: a confirmed one leaves its spelling behind.
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
    /// Objects of older layouts are being moved, or back; only a part of them is there.
    case beingMoved(LayoutMove.Phase)
    /// There is no stamp, but a claim of an older layout, whose key this is. To a server its people would look new.
    case olderLayout(String)
    /// There is no stamp, but an account's object, whose key this is.
    case stampLost(String)
    /// The store belongs to another environment.
    case otherEnvironment(DeploymentEnvironment)
    /// The store spells subjects the other way.
    case otherSubjects(SubjectSpelling.Mode)
    /// The store's layout is not the one that this version reads.
    case otherLayout(Int)
    /// The master key with this id, under which the store's subjects are hashed, is not configured.
    case missingKey(String)
    /// The configured master key with this id is another one than the store's subjects are hashed under.
    case otherKey(String)
}

extension StoreStamp {
    /// Stamps a new store, or compares the stamp of a known one.
    /// - Parameters:
    ///   - subjects: the spelling asked for; `nil` takes the store's own, or plain in a new store.
    ///   - keyRing: asked for only when the rest of the stamp fits.
    /// - Throws: `StoreStampError`, `ObjectStoreError` when the store does not answer, or what `keyRing` throws.
    /// - Returns: the store's stamp.
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

    /// The move from older layouts that is under way in a store, whatever else its stamp says.
    package static func layoutMove(of store: any ObjectStore) async throws(ObjectStoreError) -> LayoutMove? {
        guard let stamp = try await store.get(key) else { return nil }
        guard let value = Documents<StoreStamp>.read(stamp.bytes) else { throw .corrupted(key.description) }
        return value.layoutMove
    }

    /// A store without a stamp is new only if nobody has an identity or an account in it.
    static func requireNew(_ store: any ObjectStore) async throws {
        if let account = try await firstKey(StorageLayout.accounts, store) { throw StoreStampError.stampLost(account) }
        if let claim = try await firstKey(StorageLayout.identities, store) {
            throw StoreStampError.olderLayout(claim)
        }
    }

    private static func firstKey(_ prefix: String, _ store: any ObjectStore) async throws -> String? {
        try await store.list(prefix: prefix, after: nil, limit: 1).objects.first?.key.description
    }

    /// The stamp that is there afterwards: another copy may have been faster.
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
