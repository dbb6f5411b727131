import Accounts
import Foundation
import ObjectStorage
import Testing

@testable import ServiceWiring
@testable import photolala_server

/// All instances on one bucket have the same public URL and credential role, including in `dev`.
@Suite struct SharedSettingsTests {
    private let store = MemoryObjectStore { Date(timeIntervalSince1970: 1_790_000_000) }

    private func live(_ more: [String: String] = [:]) throws -> Live {
        let address = ["PHOTOLALA_PUBLIC_URL": "http://127.0.0.1:8080"]
        let variables = SettingsFixture.bucket.merging(address) { $1 }.merging(more) { $1 }
        return Live(try SettingsFixture.read(variables, flags: [.environment: "dev"]))
    }

    @Test func `an instance with the recorded settings starts`() async throws {
        try await live().requireSameDeployment(in: store)
        try await live(["PHOTOLALA_LISTEN": "127.0.0.1:8090"]).requireSameDeployment(in: store)
    }

    @Test(
        "an instance with another publicURL or role does not start and reports the difference",
        arguments: [
            ("PHOTOLALA_PUBLIC_URL", "http://127.0.0.1:9999", "publicURL is http://127.0.0.1:8080 in the store"),
            (
                "PHOTOLALA_STS_ROLE_ARN", "arn:aws:iam::000000000000:role/other",
                "sts.roleARN is arn:aws:iam::000000000000:role/photolala-user in the store"
            ),
        ])
    func differs(_ variable: String, _ value: String, _ words: String) async throws {
        try await live().requireSameDeployment(in: store)
        let other = try live([variable: value])
        let problem = await #expect(throws: StartProblem.self) { try await other.requireSameDeployment(in: store) }
        #expect(problem?.description.contains(words) == true)
        #expect(problem?.description.contains("\(value) in the settings") == true)
        #expect(problem?.description.contains("photolala-server accept-deployment") == true)
    }

    @Test func `after accept-deployment, instances start with the new settings and not with the old ones`() async throws
    {
        let (before, after) = (try live(), try live(["PHOTOLALA_PUBLIC_URL": "http://127.0.0.1:9999"]))
        let registry = DeploymentRegistry(store: store, retry: LiveStore.retry)
        let record = try #require(after.settings.deployment)
        let early = await #expect(throws: StartProblem.self) { try await AcceptDeployment.replace(record, registry) }
        #expect(early?.description.hasPrefix("no recorded settings in this store.") == true)
        try await before.requireSameDeployment(in: store)
        #expect(
            try await AcceptDeployment.replace(record, registry).hasPrefix("recorded: publicURL http://127.0.0.1:9999"))
        #expect(try await AcceptDeployment.replace(record, registry).hasPrefix("already recorded: "))
        try await after.requireSameDeployment(in: store)
        let late = await #expect(throws: StartProblem.self) { try await before.requireSameDeployment(in: store) }
        #expect(late?.description.contains("publicURL is http://127.0.0.1:9999 in the store") == true)
    }

    @Test func `a server on a data folder records no settings`() async throws {
        let folder = Live(try SettingsFixture.read(flags: SettingsFixture.dev))
        try await folder.requireSameDeployment(in: store)
        #expect(try await store.list(prefix: "", after: nil, limit: 1).objects.isEmpty)
    }
}
