import ObjectStorage
import PhotolalaAPI

/// `service/deployment.json`: settings that all instances on one store must share.
package struct DeploymentRecord: VersionedDocument {
    package var version: Int
    /// The URL that clients call; DPoP proofs, redirect URIs and links contain it.
    package var publicURL: String
    /// The role that issues users' storage credentials.
    package var role: String

    package init(publicURL: String, role: String) {
        version = 1
        self.publicURL = publicURL
        self.role = role
    }
}

/// Compares an instance's settings with those recorded by the store's first instance. Instances with different settings
/// would reject each other's DPoP proofs and issue credentials with different access.
package struct DeploymentRegistry: Sendable {
    private let documents: Documents<DeploymentRecord>

    package init(store: any ObjectStore, retry: RetryPolicy) { documents = Documents(store: store, retry: retry) }

    /// Returns the recorded settings; records these if there are none. One read, and one write the first time.
    package func register(_ record: DeploymentRecord) async throws(ObjectStoreError) -> DeploymentRecord {
        if let known = try await documents.load(Self.key) { return known.value }
        do {
            return try await documents.create(Self.key, record).value
        } catch .preconditionFailed {
            guard let winner = try await documents.load(Self.key) else { throw .conflict }
            return winner.value
        }
    }

    /// Replaces the recorded settings; for operators.
    /// - Returns: the previous settings; `nil` if there were none. Nothing is written then, because the first start
    ///   records them.
    /// - Throws: `preconditionFailed` after a concurrent change.
    package func replace(with record: DeploymentRecord) async throws(ObjectStoreError) -> DeploymentRecord? {
        guard let known = try await documents.load(Self.key) else { return nil }
        var next = known.value
        (next.publicURL, next.role) = (record.publicURL, record.role)
        if next != known.value { _ = try await documents.replace(Self.key, known, with: next) }
        return known.value
    }

    private static let key = ObjectKey(known: StorageLayout.deployment)
}
