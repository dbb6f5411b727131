import Foundation
import ObjectStorage
import PhotolalaAPI

/// `service/store.json`: what a store was made for. Written at its first start, never changed by a later one.
package struct StoreStamp: VersionedDocument {
    package var version: Int
    package let environment: DeploymentEnvironment
    /// The layout of `docs/storage-layout.md`.
    package let layout: Int
    package let subjects: SubjectSpelling.Mode
    /// The master key under which subjects are hashed.
    package let subjectKeyID: String
    package let createdAt: Date

    /// The layout that this code reads and writes.
    package static let currentLayout = 1

    package init(
        environment: DeploymentEnvironment, subjects: SubjectSpelling.Mode, subjectKeyID: String, createdAt: Date
    ) {
        version = 1
        self.environment = environment
        layout = Self.currentLayout
        self.subjects = subjects
        self.subjectKeyID = subjectKeyID
        self.createdAt = createdAt
    }
}

/// Why a server must not start on a store.
package enum StoreStampError: Error, Equatable, Sendable {
    /// The store belongs to another environment.
    case otherEnvironment(DeploymentEnvironment)
    /// The store spells subjects the other way.
    case otherSubjects(SubjectSpelling.Mode)
    /// The store's layout is not the one that this version reads.
    case otherLayout(Int)
    case store(ObjectStoreError)
}

extension StoreStamp {
    /// Stamps a new store, or compares the stamp of a known one.
    /// - Parameter subjects: the spelling asked for; `nil` takes the store's own, or plain in a new store.
    /// - Returns: the store's stamp.
    package static func check(
        _ store: any ObjectStore, retry: RetryPolicy, environment: DeploymentEnvironment,
        subjects: SubjectSpelling.Mode?, subjectKeyID: String, now: Date
    ) async throws(StoreStampError) -> StoreStamp {
        let documents = Documents<StoreStamp>(store: store, retry: retry)
        let key = ObjectKey(known: StorageLayout.storeStamp)
        let fresh = StoreStamp(
            environment: environment, subjects: subjects ?? .plain, subjectKeyID: subjectKeyID, createdAt: now
        )
        let stamp: StoreStamp
        do {
            stamp = try await readOrCreate(documents, key, fresh)
        } catch {
            throw .store(error)
        }
        guard stamp.layout == currentLayout else { throw .otherLayout(stamp.layout) }
        guard stamp.environment == environment else { throw .otherEnvironment(stamp.environment) }
        guard subjects == nil || stamp.subjects == subjects else { throw .otherSubjects(stamp.subjects) }
        return stamp
    }

    private static func readOrCreate(
        _ documents: Documents<StoreStamp>, _ key: ObjectKey, _ fresh: StoreStamp
    ) async throws(ObjectStoreError) -> StoreStamp {
        if let found = try await documents.load(key) { return found.value }
        do {
            return try await documents.create(key, fresh).value
        } catch .preconditionFailed {
            guard let winner = try await documents.load(key) else { throw .corrupted(key.description) }
            return winner.value
        }
    }
}
