import ObjectStorage
import PhotolalaAPI

/// `service/deployment.json`: settings that all instances on one store must share.
package struct DeploymentRecord: VersionedDocument {
    package var version: Int
    /// The address that clients call: device-key proofs, redirect URIs and links name it.
    package var publicURL: String
    /// The role whose sessions users' credentials are.
    package var role: String

    package init(publicURL: String, role: String) {
        version = 1
        self.publicURL = publicURL
        self.role = role
    }
}

/// Compares an instance's settings with those that the store's first instance recorded. Two instances that differ would
/// refuse each other's device-key proofs, and hand out credentials that reach differently.
package struct DeploymentRegistry: Sendable {
    private let documents: Documents<DeploymentRecord>

    package init(store: any ObjectStore, retry: RetryPolicy) { documents = Documents(store: store, retry: retry) }

    /// Returns what is recorded; records these settings where nothing is. One read, and one write the first time.
    package func register(_ record: DeploymentRecord) async throws(ObjectStoreError) -> DeploymentRecord {
        if let known = try await documents.load(Self.key) { return known.value }
        do {
            return try await documents.create(Self.key, record).value
        } catch .preconditionFailed {
            guard let winner = try await documents.load(Self.key) else { throw .conflict }
            return winner.value
        }
    }

    /// Records other settings from now on: an operator's decision.
    /// - Returns: those before; `nil` when there were none: then nothing is written, as the first start records them.
    /// - Throws: `preconditionFailed` when another operator was faster.
    package func replace(with record: DeploymentRecord) async throws(ObjectStoreError) -> DeploymentRecord? {
        guard let known = try await documents.load(Self.key) else { return nil }
        var next = known.value
        (next.publicURL, next.role) = (record.publicURL, record.role)
        if next != known.value { _ = try await documents.replace(Self.key, known, with: next) }
        return known.value
    }

    private static let key = ObjectKey(known: StorageLayout.deployment)
}
