import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// A provider name stands for the issuers of its first use until an operator changes them.
@Suite struct ProviderRegistryTests {
    private let store = MemoryObjectStore { Date(timeIntervalSince1970: 0) }
    private let forms = ["https://accounts.google.com", "accounts.google.com"]

    private var registry: ProviderRegistry {
        ProviderRegistry(store: store, retry: RetryPolicy(backoff: Backoff(randomness: .seeded(1)) { _ in }))
    }

    @Test("first use records all issuers of a provider, and each is accepted later in any order")
    func allIssuers() async throws {
        #expect(try await registry.register([(.google, forms)]).isEmpty)
        #expect(try await registry.register([(.google, forms)]).isEmpty)
        #expect(try await registry.register([(.google, forms.reversed())]).isEmpty)
        #expect(try await registry.register([(.google, [forms[1]])]).isEmpty)
    }

    @Test("an issuer that was not recorded is rejected in any position")
    func strangers() async throws {
        _ = try await registry.register([(.google, forms)])
        for issuers in [["https://b.example"], forms + ["https://b.example"], ["https://b.example"] + forms] {
            let mismatches = try await registry.register([(.google, issuers)])
            #expect(mismatches.map(\.provider) == [.google])
            #expect(mismatches.map(\.recorded) == [forms])
            #expect(mismatches.map(\.others) == [["https://b.example"]])
        }
    }

    @Test("issuers are compared byte by byte")
    func bytes() async throws {
        _ = try await registry.register([(.apple, ["https://\u{212a}.example"])])
        #expect(try await registry.register([(.apple, ["https://K.example"])]).count == 1)
    }

    @Test("all mismatches are reported together, and nothing is recorded while there are any")
    func allAtOnce() async throws {
        let other = try #require(ProviderName("other"))
        _ = try await registry.register([(.apple, ["a"]), (.google, ["g"])])
        let mismatches = try await registry.register([(other, ["o"]), (.apple, ["b"]), (.google, ["h"])])
        #expect(mismatches.map(\.provider) == [.apple, .google])
        #expect(try await registry.register([(other, ["p"])]).isEmpty)
    }

    @Test("if two instances use a name first at the same time, one records its issuers and the other is rejected")
    func firstUseAtOnce() async throws {
        let registry = registry
        let outcomes = try await withThrowingTaskGroup(of: [IssuerMismatch].self) { group in
            for issuer in ["a", "b"] { group.addTask { try await registry.register([(.apple, [issuer])]) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count(where: \.isEmpty) == 1)
    }

    @Test("an operator replaces the issuers, and replacing unrecorded issuers does nothing")
    func replace() async throws {
        #expect(try await registry.replace(with: ["b"], for: .apple) == nil)
        _ = try await registry.register([(.apple, ["a"])])
        #expect(try await registry.replace(with: ["b", "c"], for: .apple) == ["a"])
        #expect(try await registry.register([(.apple, ["b", "c"])]).isEmpty)
        #expect(try await registry.register([(.apple, ["a"])]).count == 1)
        #expect(try await registry.replace(with: ["b", "c"], for: .apple) == ["b", "c"])
    }
}
