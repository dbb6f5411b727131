import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import UseCases

/// Scheduling and cancelling a deletion, with a fault at each of their requests.
@Suite struct SchedulingFaultTests {
    /// What a person asks for.
    enum Step: String, CaseIterable, Sendable {
        case schedule, cancel, undoCode

        func perform(_ service: TestService, _ held: Held) async throws {
            switch self {
            case .schedule:
                _ = try await service.services.deletion.schedule(
                    .init(confirmation: DeletionRequest.confirmationText), caller: held.caller)
            case .cancel: _ = try await service.services.deletion.cancel(held.caller)
            case .undoCode: try await service.services.deletion.cancel(undoCode: held.undoCode)
            }
        }

        /// The state of the account if it succeeds.
        var result: AccountState { self == .schedule ? .deleting : .active }

        var prepared: Task<(DeletionFixture, Held), any Error> {
            self == .schedule ? SchedulingFaultTests.active : SchedulingFaultTests.scheduled
        }
    }

    struct Held: Sendable {
        let caller: Caller
        let session: Session
        let undoCode: String
    }

    @Test(
        "whatever fails at any request, the deletion is scheduled with its record or not at all, and can be changed again",
        arguments: Step.allCases, FaultyObjectStore.Fault.allCases)
    func everyRequest(step: Step, fault: FaultyObjectStore.Fault) async throws {
        var call = 0
        while try await run(step, fault, at: call) { call += 1 }
        #expect(call > 0)
    }

    /// - Returns: whether the step reached the faulty request.
    private func run(_ step: Step, _ fault: FaultyObjectStore.Fault, at call: Int) async throws -> Bool {
        let (fixture, held) = try await step.prepared.value
        let clock = TestClock(fixture.clock.now)
        let memory = fixture.memory.copy { clock.now }
        let faulty = FaultyObjectStore(memory)
        let first = try await TestService.make(fixture.options, store: faulty, clock: clock)
        faulty.arm(fault, at: call)
        let error = await ServiceError.caught { try await step.perform(first, held) }
        let isReached = faulty.faultedRequest != .nothing
        await faulty.applyLateChange()
        var options = fixture.options
        options.seed = 2
        let second = try await TestService.make(options, store: memory, clock: clock)
        let accounts = second.components.accounts
        let context = Comment(rawValue: "\(step) with \(fault) at request \(call): \(String(describing: error))")
        let account = try #require(try await accounts.account(fixture.user)).value
        #expect(account.state == .active || account.state == .deleting, context)
        if error == nil { #expect(account.state == step.result, context) }
        if account.state == .deleting {
            #expect(try await accounts.deletions.record(fixture.user) != nil, context)
            try await expectScheduled(second, held, fixture, endsSession: step == .schedule, context)
        } else {
            try await expectActive(second, fixture, context)
        }
        return isReached
    }

    /// Cancels the deletion, then deletes the account for good.
    private func expectScheduled(
        _ service: TestService, _ held: Held, _ fixture: DeletionFixture, endsSession: Bool, _ context: Comment
    ) async throws {
        let services = service.services
        if endsSession {
            let error = await ServiceError.caught { _ = try await service.caller(held.session) }
            guard case .sessionEnded? = error else {
                Issue.record(context)
                return
            }
        }
        let back = try await service.signIn(.google, "canary-google", device: 2)
        _ = try await services.deletion.cancel(try await service.caller(back.session))
        let again = try await service.signIn(.google, "canary-google", device: 2)
        _ = try await services.deletion.schedule(
            .init(confirmation: DeletionRequest.confirmationText), caller: try await service.caller(again.session))
        service.clock.advance(by: 14 * 86_400)
        for _ in 0..<(24 * 9) {
            try await services.eventDelivery.deliverEvents()
            try await services.accountErasure.eraseDueAccounts()
            service.clock.advance(by: 3600)
        }
        #expect(try await service.components.accounts.account(fixture.user) == nil, context)
    }

    /// Lets the time of a deletion pass: nothing is erased.
    private func expectActive(_ service: TestService, _ fixture: DeletionFixture, _ context: Comment) async throws {
        for _ in 0..<30 {
            try await service.services.accountErasure.eraseDueAccounts()
            service.clock.advance(by: 12 * 3600)
        }
        let accounts = service.components.accounts
        #expect(try await accounts.account(fixture.user)?.value.state == .active, context)
        #expect(try await accounts.deletions.record(fixture.user) == nil, context)
        let photos = try await service.store.list(prefix: StorageLayout.photos(fixture.user), after: nil, limit: 10)
        #expect(photos.objects.count == 2, context)
        _ = try await service.signIn(.google, "canary-google", device: 2)
    }

    /// An account, prepared once.
    private static let active = Task {
        let fixture = try await DeletionFixture()
        let session = try await fixture.service.reauthenticate(.apple, DeletionFixture.subject, in: fixture.bob.session)
        let caller = try await fixture.service.caller(session)
        return (fixture, Held(caller: caller, session: session, undoCode: ""))
    }

    /// An account whose deletion is scheduled, and a session from afterwards.
    private static let scheduled = Task {
        let fixture = try await DeletionFixture()
        let undoCode = try #require(try await fixture.schedule().undoCode)
        let session = try await fixture.service.signIn(.google, "canary-google", device: 2).session
        return (
            fixture, Held(caller: try await fixture.service.caller(session), session: session, undoCode: undoCode)
        )
    }
}
