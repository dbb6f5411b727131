import DevelopmentIdentityProvider
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Limits per identity, per session and in total, and the exchange of call counts between instances.
@Suite struct RateLimiterTests {
    private func service(
        _ rates: CallRates, store: (any ObjectStore)? = nil, clock: TestClock = TestClock(), seed: UInt64 = 1
    ) async throws -> TestService {
        var options = TestService.Options()
        options.callRates = rates
        options.seed = seed
        return try await TestService.make(options, store: store, clock: clock)
    }

    /// Returns how many of `count` calls from one address an instance allows.
    private func calls(_ count: Int, _ service: TestService, from address: UInt32 = 1) -> Int {
        (0..<count).count { _ in (try? service.components.limits.consume(ClientRateLimitKey(ipv4: address))) != nil }
    }

    @Test("sign-ins with one identity share a limit across addresses, and a refusal reports the wait")
    func identity() async throws {
        let service = try await service(CallRates(address: 0, identity: 3, total: 0))
        _ = try await service.signUp(.apple, "bob")
        for device in 1...2 { _ = try await service.signIn(.apple, "bob", device: device) }
        _ = service.store.drainRequests()
        await #expect(throws: ServiceError.rateLimited(retryAfter: 20)) {
            _ = try await service.signIn(.apple, "bob", device: 3)
        }
        #expect(service.store.drainRequests().isEmpty)
        _ = try await service.signUp(.apple, "alice")
        service.clock.advance(by: 20)
        _ = try await service.signIn(.apple, "bob", device: 3)
    }

    @Test("an invalid token consumes no calls of the identity that it names")
    func forged() async throws {
        let service = try await service(CallRates(address: 0, identity: 1, total: 0))
        let other = try await TestService.make()
        for _ in 0..<5 {
            let request = SignInRequest(
                provider: .google, idToken: try other.token(.apple, "bob"), device: TestService.device(1))
            await #expect(throws: ServiceError.invalidToken(.wrongIssuer)) {
                _ = try await service.services.signIn.signIn(request)
            }
        }
        _ = try await service.signUp(.google, "bob")
    }

    @Test("a token that carries another challenge's nonce consumes no calls of its identity")
    func wrongNonce() async throws {
        let service = try await service(CallRates(address: 0, identity: 1, total: 0))
        let challenge = try service.services.identities.makeChallenge(
            ChallengeRequest(purpose: .signup, deviceID: TestService.device(1).id), caller: nil
        ).challenge
        let stolen = try service.google.issueToken(DevelopmentTokenRequest(subject: "bob", nonce: "another")).idToken
        for _ in 0..<5 {
            let request = SignUpRequest(
                provider: .google, idToken: stolen, challenge: challenge, device: TestService.device(1))
            await #expect(throws: ServiceError.invalidChallenge(.nonceMismatch)) {
                _ = try await service.services.signUp.signUp(request)
            }
        }
        _ = try await service.signUp(.google, "bob")
    }

    @Test("calls in a session share a limit, cost no store request when refused and affect no other session")
    func session() async throws {
        let service = try await service(CallRates(address: 0, identity: 4, total: 0))
        let session = try await service.signUp(.apple, "bob").session
        let other = try await service.signIn(.apple, "bob", device: 2).session
        for _ in 0..<3 { _ = try await service.caller(session) }
        _ = try await service.services.sessions.refresh(RefreshRequest(refreshToken: session.refreshToken))
        _ = service.store.drainRequests()
        await #expect(throws: ServiceError.rateLimited(retryAfter: 15)) { _ = try await service.caller(session) }
        await #expect(throws: ServiceError.rateLimited(retryAfter: 15)) {
            _ = try await service.services.sessions.refresh(RefreshRequest(refreshToken: session.refreshToken))
        }
        #expect(service.store.drainRequests().isEmpty)
        _ = try await service.caller(other)
    }

    @Test("tokens of an ended session consume no calls of the owner's other sessions")
    func endedSession() async throws {
        let service = try await service(CallRates(address: 0, identity: 4, total: 0))
        let stolen = try await service.signUp(.apple, "bob").session
        let own = try await service.signIn(.apple, "bob", device: 2).session
        try await service.services.sessions.signOutEverywhere(try await service.caller(own))
        for _ in 0..<50 {
            _ = try? await service.caller(stolen)
            _ = try? await service.services.sessions.refresh(RefreshRequest(refreshToken: stolen.refreshToken))
        }
        let again = try await service.signIn(.apple, "bob", device: 2).session
        for _ in 0..<4 { _ = try await service.caller(again) }
    }

    @Test("calls of all sessions of an account share a limit, and a refused call makes no store request")
    func account() async throws {
        let service = try await service(CallRates(address: 0, identity: 0, total: 0, account: 6))
        let first = try await service.signUp(.apple, "bob").session
        let second = try await service.signIn(.apple, "bob", device: 2).session
        let walk = BrowserSignInFlow(service)
        _ = try await walk.authorize(to: .google, for: .signup, as: "eve")
        for _ in 0..<2 {
            _ = try await service.caller(first)
            _ = try await service.caller(second)
        }
        let next = try await service.services.sessions.refresh(RefreshRequest(refreshToken: first.refreshToken)).session
        _ = try await service.caller(second)
        _ = service.store.drainRequests()
        for session in [next, second] {
            await #expect(throws: ServiceError.rateLimited(retryAfter: 10)) { _ = try await service.caller(session) }
        }
        #expect(service.store.drainRequests().isEmpty)
        service.clock.advance(by: 10)
        _ = try await service.caller(next)
        _ = try await walk.open(.google, .signin, as: "eve")
    }

    @Test("a session can refresh from its reserve, and only from it, after other sessions exhaust the account's limit")
    func refreshes() async throws {
        let service = try await service(CallRates(address: 0, identity: 0, total: 0, account: 6))
        let own = try await service.signUp(.apple, "bob").session
        let stolen = try await service.signIn(.apple, "bob", device: 2).session
        for _ in 0..<6 { _ = try await service.caller(stolen) }
        var token = own.refreshToken
        for _ in 0..<20 {
            token = try await service.services.sessions.refresh(RefreshRequest(refreshToken: token)).session
                .refreshToken
        }
        _ = service.store.drainRequests()
        await #expect(throws: ServiceError.rateLimited(retryAfter: 3)) {
            _ = try await service.services.sessions.refresh(RefreshRequest(refreshToken: token))
        }
        #expect(service.store.drainRequests().isEmpty)
        service.clock.advance(by: 3)
        // A refused refresh does not use up the refresh token.
        _ = try await service.services.sessions.refresh(RefreshRequest(refreshToken: token))
    }

    @Test("other sessions of an account cannot exhaust the calls that protect it, by token or by cookie")
    func protection() async throws {
        let service = try await service(CallRates(address: 0, identity: 0, total: 0, account: 6))
        let (cookie, caller) = try await BrowserSignInFlow(service).open(.apple, .signup, as: "bob")
        let (own, stolen) = (
            try await service.signIn(.apple, "dev-bob", device: 2).session,
            try await service.signIn(.apple, "dev-bob", device: 3).session
        )
        #expect(try await service.caller(own).user == caller.user)
        while (try? await service.caller(stolen)) != nil {}
        let services = service.services
        await #expect(throws: ServiceError.rateLimited(retryAfter: 10)) { _ = try await service.caller(own) }
        await #expect(throws: ServiceError.rateLimited(retryAfter: 10)) {
            _ = try await services.authenticator.authenticate(browserCookie: cookie)
        }
        for _ in 0..<20 {
            _ = try await services.authenticator.authenticate(own.accessToken, for: .protection)
            _ = try await services.authenticator.authenticate(browserCookie: cookie, for: .protection)
        }
        _ = service.store.drainRequests()
        await #expect(throws: ServiceError.rateLimited(retryAfter: 3)) {
            _ = try await services.authenticator.authenticate(own.accessToken, for: .protection)
        }
        await #expect(throws: ServiceError.rateLimited(retryAfter: 3)) {
            _ = try await services.authenticator.authenticate(browserCookie: cookie, for: .protection)
        }
        #expect(service.store.drainRequests().isEmpty)
    }

    @Test("signing in again on a device brings no new reserve")
    func reserveOfDevice() async throws {
        let service = try await service(CallRates(address: 0, identity: 0, total: 0, account: 6))
        var own = try await service.signUp(.apple, "bob").session
        while (try? await service.caller(own)) != nil {}
        for number in 0..<30 {
            own = try await service.signIn(.apple, "bob").session
            let error = await ServiceError.caught {
                _ = try await service.services.authenticator.authenticate(own.accessToken, for: .protection)
            }
            #expect(error == (number < 20 ? nil : .rateLimited(retryAfter: 3)))
        }
    }

    @Test("tokens of an ended session consume no calls of the account")
    func endedSessionOfAccount() async throws {
        let service = try await service(CallRates(address: 0, identity: 0, total: 0, account: 4))
        let stolen = try await service.signUp(.apple, "bob").session
        let own = try await service.signIn(.apple, "bob", device: 2).session
        try await service.services.sessions.signOutEverywhere(try await service.caller(own))
        service.clock.advance(by: 60)
        for _ in 0..<50 {
            await #expect(throws: ServiceError.sessionEnded) { _ = try await service.caller(stolen) }
            await #expect(throws: ServiceError.sessionEnded) {
                _ = try await service.services.sessions.refresh(RefreshRequest(refreshToken: stolen.refreshToken))
            }
        }
        let again = try await service.signIn(.apple, "bob", device: 2).session
        for _ in 0..<4 { _ = try await service.caller(again) }
    }

    @Test("calls of an account at one instance count at the other instances")
    func sharedAccount() async throws {
        let rates = CallRates(address: 0, identity: 0, total: 0, account: 60)
        let one = try await service(rates)
        let two = try await service(rates, store: one.store, clock: one.clock, seed: 2)
        let session = try await one.signUp(.apple, "bob").session
        for _ in 0..<60 { _ = try await one.caller(session) }
        for copy in [one, two] { try await copy.services.housekeeping.shareRateLimits() }
        await #expect(throws: ServiceError.rateLimited(retryAfter: 1)) { _ = try await two.caller(session) }
    }

    @Test("all clients share a total limit, and calls refused by a client's own limit do not count towards it")
    func everyone() async throws {
        let service = try await service(CallRates(address: 2, identity: 0, total: 4))
        #expect(calls(100, service, from: 1) == 2)
        #expect(calls(2, service, from: 2) == 2)
        #expect(throws: ServiceError.overloaded(retryAfter: 15)) {
            try service.components.limits.consume(ClientRateLimitKey(ipv4: 3))
        }
    }

    @Test("calls counted by one instance are subtracted at the others once")
    func sharing() async throws {
        let one = try await service(CallRates(address: 60, identity: 0, total: 0))
        let two = try await service(
            CallRates(address: 60, identity: 0, total: 0), store: one.store, clock: one.clock, seed: 2)
        #expect(calls(40, one) == 40)
        try await one.services.housekeeping.shareRateLimits()
        for _ in 0..<3 { try await two.services.housekeeping.shareRateLimits() }
        #expect(calls(40, two) == 20)
        try await one.services.housekeeping.shareRateLimits()
        #expect(calls(40, one) == 20)
        #expect(calls(5, two, from: 2) == 5)
    }

    @Test("a client that uses many instances gets no more calls over ten minutes than at one instance")
    func manyCopies() async throws {
        let clock = TestClock()
        let store = MemoryObjectStore { clock.now }
        var copies: [TestService] = []
        for seed in 1...5 {
            copies.append(
                try await service(
                    CallRates(address: 60, identity: 0, total: 0), store: store, clock: clock, seed: UInt64(seed)))
        }
        var taken = 0
        for _ in 0..<60 {
            for copy in copies { taken += calls(30, copy) }
            for copy in copies { try await copy.services.housekeeping.shareRateLimits() }
            clock.advance(by: 10)
        }
        // Ten minutes of calls, plus the initial contents of five full buckets.
        #expect(taken <= 600 + 5 * 60)
        #expect(taken >= 300)
    }

    @Test("an idle service writes nothing, and obsolete counts are removed")
    func quiet() async throws {
        let one = try await service(CallRates(address: 60, identity: 0, total: 0))
        let two = try await service(
            CallRates(address: 60, identity: 0, total: 0), store: one.store, clock: one.clock, seed: 2)
        func stored() async throws -> Int {
            try await one.store.list(prefix: StorageLayout.callCounts, after: nil, limit: 10).objects.count
        }
        #expect(calls(1, one) == 1)
        try await one.services.housekeeping.shareRateLimits()
        #expect(try await stored() == 0)
        #expect(calls(10, one) == 10 && calls(10, two) == 10)
        for copy in [one, two] { try await copy.services.housekeeping.shareRateLimits() }
        #expect(try await stored() == 2)
        for _ in 0..<3 { try await one.services.housekeeping.shareRateLimits() }
        #expect(try await stored() == 1)
        // The other instance is gone.
        one.clock.advance(by: 301)
        try await one.services.housekeeping.shareRateLimits()
        #expect(try await stored() == 0)
    }

    @Test("counts sealed with an unknown key, or malformed counts, are ignored")
    func unreadable() async throws {
        let one = try await service(CallRates(address: 60, identity: 0, total: 0))
        let key = ObjectKey(known: StorageLayout.callCounts(of: UUID()))
        _ = try await one.store.put(key, .init(string: #"{"version":1,"sealed":"other.AAAA"}"#), if: .absent)
        try await one.services.housekeeping.shareRateLimits()
        #expect(calls(60, one) == 60)
    }

    @Test("an instance continues after its counts object is deleted or modified")
    func lost() async throws {
        let one = try await service(CallRates(address: 60, identity: 0, total: 0))
        #expect(calls(10, one) == 10)
        try await one.services.housekeeping.shareRateLimits()
        let listed = try await one.store.list(prefix: StorageLayout.callCounts, after: nil, limit: 10).objects
        try await one.store.delete(try #require(listed.first).key, if: .always)
        #expect(calls(10, one) == 10)
        await #expect(throws: ServiceError.internal("preconditionFailed")) {
            try await one.services.housekeeping.shareRateLimits()
        }
        #expect(calls(10, one) == 10)
        try await one.services.housekeeping.shareRateLimits()
    }
}
