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
}

extension StoreStamp {
    /// Stamps a new store, or compares the stamp of a known one.
    /// - Parameters:
    ///   - subjects: the spelling asked for; `nil` takes the store's own, or plain in a new store.
    ///   - subjectKeyID: asked for only when a new store is stamped.
    /// - Throws: `StoreStampError`, or `ObjectStoreError` when the store does not answer.
    /// - Returns: the store's stamp.
    package static func check(
        _ store: any ObjectStore, retry: RetryPolicy, environment: DeploymentEnvironment,
        subjects: SubjectSpelling.Mode?, subjectKeyID: () throws -> String, now: Date
    ) async throws -> StoreStamp {
        let documents = Documents<StoreStamp>(store: store, retry: retry)
        let key = ObjectKey(known: StorageLayout.storeStamp)
        if let known = try await documents.load(key) {
            return try known.value.checked(environment, subjects)
        }
        let fresh = StoreStamp(
            environment: environment, subjects: subjects ?? .plain, subjectKeyID: try subjectKeyID(), createdAt: now
        )
        return try await create(fresh, in: documents, key).checked(environment, subjects)
    }

    /// The stamp that is there afterwards: another copy may have been faster.
    private static func create(
        _ fresh: StoreStamp, in documents: Documents<StoreStamp>, _ key: ObjectKey
    ) async throws(ObjectStoreError) -> StoreStamp {
        do {
            return try await documents.create(key, fresh).value
        } catch .preconditionFailed {
            guard let winner = try await documents.load(key) else { throw .corrupted(key.description) }
            return winner.value
        }
    }

    private func checked(
        _ environment: DeploymentEnvironment, _ subjects: SubjectSpelling.Mode?
    ) throws(StoreStampError) -> StoreStamp {
        guard layout == Self.currentLayout else { throw .otherLayout(layout) }
        guard self.environment == environment else { throw .otherEnvironment(self.environment) }
        guard subjects == nil || self.subjects == subjects else { throw .otherSubjects(self.subjects) }
        return self
    }
}
