import AccountMaintenance
import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing

@testable import UseCases

/// Another operation at every request of scheduling, undoing and performing a deletion, and the reverse.
@Suite struct DeletionRaceTests {
    @Test(
        "an operation before any request of a stage of a deletion brings nothing back",
        arguments: DeletionStage.allCases, RacingOperation.allCases)
    func operationInside(stage: DeletionStage, operation: RacingOperation) async throws {
        let calls = try await RequestSweep(case: operation.caseNumber).perform {
            try await run(stage, operation, at: $0, isStageOuter: true)
        }
        #expect(calls > (stage == .erasing ? 40 : 2))
    }

    @Test(
        "a stage of a deletion before any request of an operation erases what the operation writes afterwards",
        arguments: DeletionStage.allCases, RacingOperation.allCases)
    func stageInside(stage: DeletionStage, operation: RacingOperation) async throws {
        try await RequestSweep(case: stage.caseNumber).perform {
            try await run(stage, operation, at: $0, isStageOuter: false)
        }
    }

    @Test(
        "a purchase that pauses while the account is closed leaves no mention in the subscription's record",
        arguments: [RacingOperation.bindPurchase, .newSubscription, .otherRenewal])
    func closedInside(operation: RacingOperation) async throws {
        // The requests of the run until it counts objects.
        for stop in 0..<30 {
            try await RequestSweep(case: stop).perform {
                try await run(.erasing, operation, at: $0, isStageOuter: false, stoppingAt: stop)
            }
        }
    }

    /// The results of the two operations.
    private struct Outcome: Sendable {
        var stage: ServiceError?
        var operation: ServiceError?
        /// The error of the operation if it is also authenticated now, for an account that is a tombstone or gone.
        var later: ServiceError?
        var isClosed = false
        var upload: RacingOperation.LateUpload?
    }

    /// - Parameter stop: The request of the stage before which its process ends; `nil` if it does not.
    /// - Returns: whether the outer operation reached the request.
    private func run(
        _ stage: DeletionStage, _ operation: RacingOperation, at call: Int, isStageOuter: Bool,
        stoppingAt stop: Int? = nil
    ) async throws -> Bool {
        let (fixture, held) = try await stage.prepared.value
        let clock = TestClock(fixture.clock.now)
        let memory = fixture.memory.copy { clock.now }
        let interrupted = InterruptedObjectStore(memory)
        let outer = try await instance(2, interrupted, fixture, clock)
        let inner = try await instance(3, memory, fixture, clock)
        let stopping = FaultyObjectStore(memory)
        let innerStage = stop == nil ? inner : try await instance(4, stopping, fixture, clock)
        if let stop { stopping.arm(.stopBefore, at: stop) }
        let outcome = Mutex(Outcome())
        let perform: @Sendable (TestService) async -> Void = { service in
            let state = try? await inner.components.accounts.account(fixture.user)?.value.state
            let error = await ServiceError.caught {
                let upload = try await operation.perform(service, held, as: held.caller)
                outcome.withLock { $0.upload = upload }
            }
            outcome.withLock { $0.operation = error }
            guard isStageOuter, state == .deleted || state == nil else { return }
            let later = await ServiceError.caught {
                _ = try await operation.perform(service, held, as: try await service.caller(held.session))
            }
            outcome.withLock { ($0.isClosed, $0.later) = (true, later) }
        }
        let performStage: @Sendable (TestService) async -> Void = { service in
            let error = await ServiceError.caught { try await stage.perform(service, held) }
            outcome.withLock { $0.stage = error }
        }
        interrupted.interrupt(before: call) {
            if isStageOuter { await perform(inner) } else { await performStage(innerStage) }
        }
        await (isStageOuter ? performStage : perform)(outer)
        guard !interrupted.isWaiting else { return false }
        let result = outcome.withLock { $0 }
        let context = Comment(rawValue: "\(operation) and \(stage) at request \(call): \(result)")
        for case .internal? in [result.stage, result.operation, result.later] { Issue.record(context) }
        if result.isClosed { #expect(operation.isNotification || result.later != nil, context) }
        try await finish(inner, result.upload, fixture, context)
        try await check(inner, memory, fixture, context)
        return true
    }

    private func instance(
        _ seed: UInt64, _ store: any ObjectStore, _ fixture: DeletionFixture, _ clock: TestClock
    ) async throws -> TestService {
        var options = fixture.options
        options.seed = seed
        return try await .make(options, store: store, clock: clock)
    }

    /// Deletes the account if the race ended with an active one, and runs the jobs until it is gone.
    private func finish(
        _ service: TestService, _ upload: RacingOperation.LateUpload?, _ fixture: DeletionFixture, _ context: Comment
    ) async throws {
        let accounts = service.components.accounts
        if try await accounts.account(fixture.user)?.value.state == .active {
            let back = try await service.signIn(.google, "canary-google", device: 2)
            _ = try await service.services.deletion.schedule(
                .init(confirmation: "DELETE"), caller: try await service.caller(back.session))
        }
        var upload = upload
        for _ in 0..<(24 * 30) {
            if let due = upload, due.time <= service.clock.now {
                _ = try await service.store.put(due.key, ByteBuffer(string: "late"), if: .always)
                upload = nil
            }
            try await service.services.providerCalls.makeProviderCalls()
            try await service.services.eventDelivery.deliverEvents()
            try await service.services.accountErasure.eraseDueAccounts()
            let state = try await accounts.account(fixture.user)?.value.state
            if state == nil, upload == nil, try await accounts.deletions.record(fixture.user) == nil { return }
            service.clock.advance(by: state == .deleting && upload == nil ? 86_400 : 3600)
        }
        let record = try await accounts.deletions.record(fixture.user)?.value
        Issue.record("not erased (\(record?.reason ?? "")): \(context)")
    }

    private func check(
        _ service: TestService, _ memory: MemoryObjectStore, _ fixture: DeletionFixture, _ context: Comment
    ) async throws {
        let secrets = fixture.secrets + [TestService.device(3).id.description]
        var places: [String] = []
        let terms = SearchTerms(AccountIdentifiers(fixture.user), texts: secrets)
        _ = try await AbsenceProof(memory, terms: terms).run { place, _ in places.append(place) }
        #expect(places == [], context)
        let code = try service.components.deletionCodes.makeReceiptCode(for: fixture.user, requestedBy: .owner)
        let status = try await service.services.deletion.status(receiptCode: code)
        #expect(status.state == .completed && status.receipt != nil, context)
        let new = try await service.signUp(.apple, DeletionFixture.subject, email: DeletionFixture.email, device: 9)
        #expect(new.user.serviceUserID != fixture.user, context)
    }
}
