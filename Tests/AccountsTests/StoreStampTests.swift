import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing

/// What a store was made for is decided once.
@Suite struct StoreStampTests {
    private let store = MemoryObjectStore { Date(timeIntervalSince1970: 0) }

    private func check(
        _ environment: DeploymentEnvironment, subjects: SubjectSpelling.Mode? = nil
    ) async throws -> StoreStamp {
        try await StoreStamp.check(
            store, retry: RetryPolicy(backoff: Backoff(randomness: .seeded(1)) { _ in }), environment: environment,
            subjects: subjects,
            subjectKeyID: { "k1" }, now: Date(timeIntervalSince1970: 0)
        )
    }

    @Test("A store that was started in one environment is refused in another")
    func otherEnvironment() async throws {
        #expect(try await check(.dev).environment == .dev)
        #expect(try await check(.dev).environment == .dev)
        await #expect(throws: StoreStampError.otherEnvironment(.dev)) { try await check(.prod) }
    }

    @Test("Hashed subjects are chosen at the first start and then stay")
    func subjects() async throws {
        #expect(try await check(.stage, subjects: .hashed).subjects == .hashed)
        #expect(try await check(.stage).subjects == .hashed)
        await #expect(throws: StoreStampError.otherSubjects(.hashed)) { try await check(.stage, subjects: .plain) }
    }

    @Test("A provider's name stands for its first issuer until an operator says otherwise")
    func providerRegistry() async throws {
        let registry = ProviderRegistry(store: store)
        #expect(try await registry.record("https://a.example", for: .apple) == "https://a.example")
        #expect(try await registry.record("https://b.example", for: .apple) == "https://a.example")
        try await registry.replace(with: "https://b.example", for: .apple)
        #expect(try await registry.record("https://b.example", for: .apple) == "https://b.example")
    }
}
