import Accounts
import Foundation
import HTTPTypes
import Logging
import PhotolalaTesting
import Testing

@testable import IdentityProviders

@Suite("the cached keys of a provider")
struct KeySetCacheTests {
    private static let p256 =
        #""kty":"EC","crv":"P-256","x":"04N0xi21hshyvBp7I167sbE_bXqyqkAPfefdklMO7wY","#
        + #""y":"UI8exy-C06a7DUnjIdENkxeFtHM4-l_41LqEw9nVgmw""#

    private static func keySet(_ ids: String...) -> Data {
        Data("{\"keys\":[\(ids.map { "{\"kid\":\"\($0)\",\(p256)}" }.joined(separator: ","))]}".utf8)
    }

    private let clock = TestClock()

    private func cache(_ transport: CountingTransport) -> KeySetCache {
        KeySetCache(
            location: .url("https://issuer.example/keys"), transport: transport, logger: Logger(label: "test"),
            now: { [clock] in clock.now },
            // No caller times out: on a busy machine the real limit could pass.
            sleep: { _ in try await Task.sleep(for: .seconds(86_400)) }
        )
    }

    private func found(_ cache: KeySetCache, _ id: String) async -> Bool {
        (try? await cache.key(id: id, for: .es256)) != nil
    }

    @Test("keys are fetched once and cached")
    func keysAreKept() async throws {
        let transport = CountingTransport(body: Self.keySet("a"))
        let cache = cache(transport)
        for _ in 0..<100 { _ = try await cache.key(id: "a", for: .es256) }
        #expect(transport.count == 1)
    }

    @Test("concurrent callers share one fetch")
    func oneFetchForManyWaiters() async throws {
        let started = TestCounter()
        let transport = CountingTransport(body: Self.keySet("a")) {
            // Answers only after all callers have arrived.
            while started.value < 50 { await Task.yield() }
            for _ in 0..<100 { await Task.yield() }
        }
        let cache = cache(transport)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    started.increment()
                    _ = try await cache.key(id: "a", for: .es256)
                }
            }
            try await group.waitForAll()
        }
        #expect(transport.count == 1)
    }

    @Test("a cancelled caller does not cancel the fetch for others")
    func cancellationIsPrivate() async throws {
        let gate = TestCounter()
        let transport = CountingTransport(body: Self.keySet("a")) {
            while gate.value == 0 { await Task.yield() }
        }
        let cache = cache(transport)
        let first = Task { try await cache.key(id: "a", for: .es256) }
        while transport.count == 0 { await Task.yield() }
        let second = Task { try await cache.key(id: "a", for: .es256) }
        first.cancel()
        gate.increment()
        _ = try await second.value
        #expect(transport.count == 1)
    }

    @Test("many unknown key ids cause one fetch a minute")
    func unknownIDsAreThrottled() async {
        let transport = CountingTransport(body: Self.keySet("a"))
        let cache = cache(transport)
        #expect(await found(cache, "a"))
        for second in 0..<600 {
            await #expect(throws: IdentityTokenError.unknownKey) { try await cache.key(id: "x\(second)", for: .es256) }
            clock.advance(by: 1)
        }
        // Once at the start, and at each full minute after the first.
        #expect(transport.count == 10)
        #expect(await found(cache, "a"))
    }

    @Test("concurrent unknown key ids cause one fetch if one is due, and otherwise none")
    func unknownIDsAtOnce() async {
        let arrived = TestCounter()
        let transport = CountingTransport(body: Self.keySet("a")) {
            // The first fetch is for one caller; the second is answered only after all callers have arrived.
            while (1..<50).contains(arrived.value) { await Task.yield() }
        }
        let cache = cache(transport)
        #expect(await found(cache, "a"))
        clock.advance(by: 60)
        for _ in 0..<2 {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        arrived.increment()
                        _ = await found(cache, "x\(number)")
                    }
                }
            }
            #expect(transport.count == 2)
        }
    }

    @Test("a caller that read the clock before a fetch ended causes no other fetch")
    func clockReadBeforeTheFetchEnded() async {
        let transport = CountingTransport(body: Self.keySet("a"))
        let cache = cache(transport)
        clock.advance(by: 1)
        #expect(await found(cache, "a"))
        clock.advance(by: -0.5)
        #expect(await !found(cache, "b"))
        #expect(transport.count == 1)
    }

    @Test("a rotated key is found once the minimum interval has passed")
    func rotationIsNoticed() async {
        let transport = CountingTransport(body: Self.keySet("a"))
        let cache = cache(transport)
        #expect(await found(cache, "a"))
        transport.respond(body: Self.keySet("a", "b"))
        clock.advance(by: 59)
        #expect(await !found(cache, "b"))
        clock.advance(by: 1)
        #expect(await found(cache, "b"))
        #expect(transport.count == 2)
    }

    @Test(
        "the lifetime of Cache-Control is respected within bounds",
        arguments: [
            ("max-age=3600", 3600), ("public, max-age=21600, must-revalidate", 21_600), ("max-age=1", 300),
            ("max-age=99999999", 86_400), ("no-store", 300), ("max-age=600, no-cache", 300), ("MAX-AGE=\"900\"", 900),
            ("max-age=-5", 3600), ("max-age=99999999999999999999", 3600), ("private", 3600),
        ]
    )
    func lifetimes(header: String, seconds: Double) async {
        let transport = CountingTransport(body: Self.keySet("a"))
        transport.respond(headers: [.cacheControl: header], body: Self.keySet("a"))
        let cache = cache(transport)
        #expect(await found(cache, "a"))
        clock.advance(by: seconds - 1)
        #expect(await found(cache, "a"))
        #expect(transport.count == 1)
        clock.advance(by: 1)
        #expect(await found(cache, "a"))
        #expect(transport.count == 2)
    }

    @Test("the Age header reduces the lifetime")
    func ageCounts() {
        #expect(KeySetSource.lifetime([.cacheControl: "max-age=1000", .age: "400"]) == 600)
        #expect(KeySetSource.lifetime([.cacheControl: "max-age=1000", .age: "4000"]) == 0)
    }

    @Test("expired keys are used for a day while the provider is unreachable, and no longer")
    func staleKeysServeForADay() async throws {
        let transport = CountingTransport(body: Self.keySet("a"))
        let cache = cache(transport)
        #expect(await found(cache, "a"))
        transport.fail()
        clock.advance(by: 3600 + 86_399)
        #expect(await found(cache, "a"))
        #expect(transport.count == 2)
        clock.advance(by: 1)
        await #expect(throws: IdentityTokenError.providerUnavailable) { try await cache.key(id: "a", for: .es256) }
        transport.respond(body: Self.keySet("a"))
        clock.advance(by: 10)
        #expect(await found(cache, "a"))
    }

    @Test("a withdrawn key is unknown after the next fetch")
    func withdrawnKeysGo() async throws {
        let transport = CountingTransport(body: Self.keySet("a"))
        let cache = cache(transport)
        #expect(await found(cache, "a"))
        transport.respond(body: Self.keySet("b"))
        clock.advance(by: 3600)
        await #expect(throws: IdentityTokenError.unknownKey) { try await cache.key(id: "a", for: .es256) }
    }

    @Test("a failing provider is asked again after ten seconds, not at every token")
    func failuresAreThrottledToo() async {
        let transport = CountingTransport(body: Data())
        transport.fail()
        let cache = cache(transport)
        for _ in 0..<100 {
            await #expect(throws: IdentityTokenError.providerUnavailable) { try await cache.key(id: "a", for: .es256) }
            clock.advance(by: 1)
        }
        #expect(transport.count == 10)
    }

    @Test("a key set is requested once more if its connection was lost", arguments: [1, 2])
    func closedConnection(lost: Int) async {
        let transport = CountingTransport(body: Self.keySet("a"))
        let cache = cache(transport)
        transport.loseConnections(lost)
        #expect(await found(cache, "a") == (lost == 1))
        #expect(transport.count == 2)
    }

    @Test("an unknown key is reported as provider unavailable while the provider is unreachable")
    func unknownIsNotSaidWithoutAsking() async {
        let transport = CountingTransport(body: Self.keySet("a"))
        let cache = cache(transport)
        #expect(await found(cache, "a"))
        transport.fail()
        clock.advance(by: 60)
        await #expect(throws: IdentityTokenError.providerUnavailable) { try await cache.key(id: "b", for: .es256) }
        #expect(await found(cache, "a"))
    }

    @Test("a response that is not a key set counts as a failure and keeps the cached keys")
    func badAnswersReplaceNothing() async throws {
        let transport = CountingTransport(body: Self.keySet("a"))
        let cache = cache(transport)
        #expect(await found(cache, "a"))
        let answers: [(Int, HTTPFields, Data)] = [
            (500, [:], Self.keySet("b")), (302, [.location: "https://attacker.example"], Data()),
            (200, [.contentType: "text/html"], Self.keySet("b")), (200, [:], Data("{\"keys\":[]}".utf8)),
            (200, [:], Data("[]".utf8)), (200, [:], Data(repeating: 0x20, count: JSONWebKeySet.maximumSize + 1)),
            (200, [:], Data("{\"keys\":[\(String(repeating: "1,", count: 64))1]}".utf8)),
        ]
        for (status, headers, body) in answers {
            transport.respond(status, headers: headers, body: body)
            clock.advance(by: 3600)
            #expect(await found(cache, "a"))
            #expect(await !found(cache, "b"))
        }
        #expect(transport.count == 1 + answers.count)
    }

    /// Creates a cache whose provider answers once and then waits until `isOpen`; callers stop waiting once `isLate`.
    private func slowCache(_ isOpen: TestCounter, _ isLate: TestCounter) -> (KeySetCache, CountingTransport) {
        let asked = TestCounter()
        let transport = CountingTransport(body: Self.keySet("a")) {
            asked.increment()
            while asked.value > 1, isOpen.value == 0 { await Task.yield() }
        }
        let cache = KeySetCache(
            location: .url("https://issuer.example/keys"), transport: transport, logger: Logger(label: "test"),
            now: { [clock] in clock.now },
            sleep: { _ in
                while isLate.value == 0 {
                    try Task.checkCancellation()
                    await Task.yield()
                }
            })
        return (cache, transport)
    }

    @Test("an expired key is used while the provider does not answer")
    func slowProvider() async throws {
        let (isOpen, isLate) = (TestCounter(), TestCounter())
        let (cache, transport) = slowCache(isOpen, isLate)
        #expect(await found(cache, "a"))
        clock.advance(by: 3600)
        isLate.increment()
        for _ in 0..<10 { #expect(await found(cache, "a")) }
        #expect(transport.count == 2)
        transport.respond(body: Self.keySet("b"))
        isOpen.increment()
    }

    @Test("an unknown key id waits at most its limit and returns provider unavailable until the provider answers")
    func slowProviderUnknownKey() async throws {
        let (isOpen, isLate) = (TestCounter(), TestCounter())
        let (cache, _) = slowCache(isOpen, isLate)
        #expect(await found(cache, "a"))
        clock.advance(by: 60)
        isLate.increment()
        await #expect(throws: IdentityTokenError.providerUnavailable) { try await cache.key(id: "b", for: .es256) }
        #expect(await found(cache, "a"))
        isOpen.increment()
    }
}
