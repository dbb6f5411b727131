import Accounts
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import StorageAccess
import Synchronization
import Testing
import UseCases

/// An operator disables an account at every request of the owner's operations, and the reverse.
@Suite struct DisablingRaceTests {
    @Test(
        "disabling before any request of an operation leaves no session, cookie or credentials that work",
        arguments: OwnerOperation.allCases)
    func disablingInside(operation: OwnerOperation) async throws {
        var call = 0
        while try await run(operation, at: call, isOperationOuter: true) { call += 1 }
        #expect(call >= operation.leastRequests)
    }

    @Test(
        "an operation before any request of disabling leaves no session, cookie or credentials that work",
        arguments: OwnerOperation.allCases)
    func operationInside(operation: OwnerOperation) async throws {
        var call = 0
        while try await run(operation, at: call, isOperationOuter: false) { call += 1 }
        #expect(call >= 3)
    }

    private struct Outcome: Sendable {
        var issued: OwnerOperation.Issued?
        var refusal: ServiceError?
        var isDisabled = false
    }

    /// - Returns: whether the outer operation reached the request.
    private func run(_ operation: OwnerOperation, at call: Int, isOperationOuter: Bool) async throws -> Bool {
        let clock = TestClock()
        let memory = MemoryObjectStore { clock.now }
        let first = try await instance(1, memory, clock)
        let held = try await operation.prepare(first)
        let interrupted = InterruptedObjectStore(memory)
        let (outer, inner) = (try await instance(2, interrupted, clock), try await instance(3, memory, clock))
        let outcome = Mutex(Outcome())
        let perform: @Sendable (TestService) async -> Void = { service in
            let refusal = await ServiceError.caught {
                let issued = try await operation.perform(service, held)
                outcome.withLock { $0.issued = issued }
            }
            outcome.withLock { $0.refusal = refusal }
        }
        let disable: @Sendable (TestService) async -> Void = { service in
            do {
                let reason = try #require(OperatorReason("Ticket 4711"))
                try await Self.support(service).disable(held.caller.user, reason: reason)
                outcome.withLock { $0.isDisabled = true }
            } catch {
                Issue.record(error)
            }
        }
        interrupted.interrupt(before: call) { await isOperationOuter ? disable(inner) : perform(inner) }
        await isOperationOuter ? perform(outer) : disable(outer)
        guard !interrupted.isWaiting else { return false }
        let result = outcome.withLock { $0 }
        let context = Comment(rawValue: "\(operation) at request \(call): \(result)")
        #expect(result.isDisabled, context)
        if case .internal? = result.refusal { Issue.record(context) }
        if let issued = result.issued { try await expectUseless(issued, inner, context) }
        let isLinked =
            await ServiceError.caught {
                _ = try await inner.signIn(.facebook, "dev-bob", device: 8)
            } == .accountDisabled
        #expect(isLinked == (result.issued?.isLinked == true), context)
        await #expect(throws: ServiceError.accountDisabled, context) {
            try await inner.signIn(.apple, "dev-bob", device: 8)
        }

        try await Self.support(inner).enable(held.caller.user, reason: try #require(OperatorReason("Ticket 4712")))
        if let issued = result.issued { try await expectUseless(issued, inner, context) }
        await #expect(throws: ServiceError.sessionEnded, context) { try await inner.caller(held.session) }
        #expect(try await inner.owner(.apple, "dev-bob", device: 8) == held.caller.user, context)
        return true
    }

    private func instance(_ seed: UInt64, _ store: any ObjectStore, _ clock: TestClock) async throws -> TestService {
        var options = TestService.Options()
        options.seed = seed
        options.allowsContinue = true
        options.unlinkDelay = DelayedUnlink.day
        return try await .make(options, store: store, clock: clock)
    }

    private static func support(_ service: TestService) -> AccountSupport {
        AccountSupport(accounts: service.components.accounts, codes: service.components.deletionCodes)
    }

    private func expectUseless(
        _ issued: OwnerOperation.Issued, _ service: TestService, _ context: Comment
    ) async throws {
        if let (session, key) = issued.session {
            await #expect(throws: ServiceError.sessionEnded, context) {
                if let key { _ = try await service.caller(session, key) } else { _ = try await service.caller(session) }
            }
            let refusal = await ServiceError.caught {
                if let key {
                    _ = try await service.refresh(session, key)
                } else {
                    _ = try await service.services.sessions.refresh(RefreshRequest(refreshToken: session.refreshToken))
                }
            }
            #expect(refusal == .accountDisabled || refusal == .sessionEnded, context)
        }
        if let cookie = issued.cookie {
            await #expect(throws: ServiceError.sessionEnded, context) {
                try await service.services.authenticator.authenticate(browserCookie: cookie)
            }
        }
        if let credentials = issued.credentials {
            let session = try #require(
                SealedStorageSession.open(
                    token: credentials.sessionToken, accessKeyID: credentials.accessKeyID, keyRing: service.keyRing))
            #expect(try await service.services.storageEntitlements.entitlement(of: session) == nil, context)
        }
    }
}
