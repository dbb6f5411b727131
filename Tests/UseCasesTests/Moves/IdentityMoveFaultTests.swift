import Accounts
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing
import UseCases

/// A move with a fault, or another operation, at each of its requests.
@Suite struct IdentityMoveFaultTests {
    @Test(
        "whatever fails at any request of a completion, its repetition moves the identity",
        arguments: FaultyObjectStore.Fault.allCases)
    func everyRequest(fault: FaultyObjectStore.Fault) async throws {
        let fixture = try await MoveFixture()
        let requested = try await fixture.request()
        fixture.clock.advance(by: MoveFixture.day)
        var call = 0
        while try await run(fault, at: call, requested, fixture) { call += 1 }
        #expect(call >= 12, "a completion makes more requests than that")
    }

    /// - Returns: whether the completion reached the faulty request.
    private func run(
        _ fault: FaultyObjectStore.Fault, at call: Int, _ requested: RequestedMove, _ fixture: MoveFixture
    ) async throws -> Bool {
        let memory = fixture.memory.copy { fixture.clock.now }
        let faulty = FaultyObjectStore(memory)
        let first = try await MoveFixture.instance(2, faulty, fixture.clock)
        faulty.arm(fault, at: call)
        _ = try? await fixture.complete(requested, on: first)
        let reached = faulty.faultedRequest != .nothing
        await faulty.applyLateChange()
        let second = try await MoveFixture.instance(3, memory, fixture.clock)
        // The job resumes what cannot wait for the operator.
        try await second.services.operators.moves.finishMoves()
        let context = Comment(rawValue: "\(fault) at request \(call)")
        #expect(
            try await second.components.accounts.lookUp(.google, MoveFixture.subject) != nil, "not free: \(context)")
        do {
            _ = try await fixture.complete(requested, on: second)
        } catch IdentityMoves.Refusal.notRequested {
            // The first attempt or the job did it.
        }
        #expect(try await second.owner(.google, MoveFixture.subject) == fixture.user, context)
        let source = try #require(try await second.components.accounts.account(fixture.source)?.value)
        #expect(source.links.allSatisfy { $0.provider == .facebook || $0.state == .removing }, context)
        #expect(source.departure == nil, context)
        return reached
    }

    /// What happens to one of the accounts while a move is completed.
    enum Interruption: CaseIterable, Sendable {
        case signIn, signUp, unlink, endTargetSessions, endSourceSessions, deleteTarget, disableSource, completion,
            cancel

        /// Whether the identity may belong to a third account afterwards, or to none.
        var mayFreeIdentity: Bool { [.signUp, .unlink, .deleteTarget].contains(self) }
    }

    @Test(
        "whatever happens before any request of a completion, one account has the identity, and no session of another stays",
        arguments: Interruption.allCases)
    func races(interruption: Interruption) async throws {
        let fixture = try await MoveFixture()
        let requested = try await fixture.request()
        fixture.clock.advance(by: MoveFixture.day)
        var call = 0
        while try await race(interruption, at: call, requested, fixture) { call += 1 }
        #expect(call >= 12)
    }

    private func race(
        _ interruption: Interruption, at call: Int, _ requested: RequestedMove, _ fixture: MoveFixture
    ) async throws -> Bool {
        let memory = fixture.memory.copy { fixture.clock.now }
        let interrupted = InterruptedObjectStore(memory)
        let outer = try await MoveFixture.instance(2, interrupted, fixture.clock)
        let inner = try await MoveFixture.instance(3, memory, fixture.clock)
        let session = try await inner.signIn(.google, MoveFixture.subject, device: 5).session
        let other = try await inner.signIn(.facebook, "bob-facebook", device: 6).session
        let made = Mutex<Session?>(nil)
        let succeeded = Mutex(false)
        interrupted.interrupt(before: call) {
            do {
                let result = try await perform(interruption, inner, requested, fixture, other)
                made.withLock { $0 = result }
                succeeded.withLock { $0 = true }
            } catch {
                // The completion was first.
            }
        }
        _ = try? await fixture.complete(requested, on: outer)
        guard !interrupted.isWaiting else { return false }
        let context = Comment(rawValue: "\(interruption) at request \(call)")
        let accounts = inner.components.accounts
        if interruption == .cancel, succeeded.withLock({ $0 }) {
            let kept = try await accounts.lookUp(.google, MoveFixture.subject)?.account.value.serviceUserID
            #expect(kept == fixture.source, "cancelled: \(context)")
        }
        if interruption == .deleteTarget {
            try await inner.services.operators.moves.finishMoves()
            #expect(try await accounts.account(fixture.source)?.value.departure?.hasLeft != true, context)
            #expect(try await accounts.account(fixture.user)?.value.arrival == nil, context)
        }
        if !interruption.mayFreeIdentity {
            let before = try await accounts.lookUp(.google, MoveFixture.subject)?.account.value.serviceUserID
            _ = try? await fixture.complete(requested, on: inner)
            let after = try await accounts.lookUp(.google, MoveFixture.subject)?.account.value.serviceUserID
            #expect(after == fixture.user || after == fixture.source && before == after, context)
            // A move that was stopped is over, and another one can be requested.
            if after == fixture.source, interruption != .disableSource {
                _ = try await fixture.request(on: inner)
            }
        }
        let owner = try await accounts.lookUp(.google, MoveFixture.subject)?.account.value.serviceUserID
        var listing: [UserID] = []
        for user in [fixture.source, fixture.user] {
            let links = try await accounts.account(user)?.value.activeLinks ?? []
            if links.contains(where: { $0.provider == .google }) { listing.append(user) }
        }
        // A third account may have been created with the identity, or its owner unlinked it.
        #expect(listing.count <= 1 && (listing.isEmpty || listing == owner.map { [$0] }), context)
        if let owner, owner != fixture.source {
            await #expect(throws: ServiceError.sessionEnded, context) { try await inner.caller(session) }
        }
        if let result = made.withLock({ $0 }) {
            let caller = try? await inner.caller(result)
            #expect(caller == nil || caller?.user == owner, context)
        }
        return true
    }

    /// - Returns: a session that the moving identity opened.
    private func perform(
        _ interruption: Interruption, _ service: TestService, _ requested: RequestedMove, _ fixture: MoveFixture,
        _ other: Session
    ) async throws -> Session? {
        let support = service.services.operators.support
        let reason = try MoveFixture.reason("Ticket 5")
        switch interruption {
        case .signIn: return try await service.signIn(.google, MoveFixture.subject, device: 7).session
        case .signUp: return try await service.signUp(.google, MoveFixture.subject, device: 7).session
        case .unlink: try await service.unlink(.google, in: other)
        case .endTargetSessions: try await support.endSessions(of: fixture.user, reason: reason)
        case .endSourceSessions: try await support.endSessions(of: fixture.source, reason: reason)
        case .deleteTarget: _ = try await support.scheduleDeletion(of: fixture.user, reason: reason)
        case .disableSource: try await support.disable(fixture.source, reason: reason)
        case .cancel:
            try await service.services.operators.moves.cancel(to: fixture.user, by: fixture.bertha, reason: reason)
        case .completion: _ = try await fixture.complete(requested, on: service)
        }
        return nil
    }
}
