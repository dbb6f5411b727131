import AccountMaintenance
import Accounts
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Synchronization
import Testing
import UseCases

/// Two instances that differ by one phase of a re-keying, at the moment when it waits for them.
@Suite struct RekeyingConcurrencyTests {
    /// An instance whose requests can fail or pause.
    private struct Instance: Sendable {
        let service: TestService
        let faulty: FaultyObjectStore
        let interrupted: InterruptedObjectStore

        init(_ seed: UInt64, _ store: MemoryObjectStore, _ clock: TestClock) async throws {
            faulty = FaultyObjectStore(store)
            interrupted = InterruptedObjectStore(faulty)
            service = try await TestService.makeInstance(seed, interrupted, clock)
        }
    }

    private typealias Encounter = @Sendable (_ behind: Instance, _ ahead: Instance) async throws -> Void

    /// Performs a step and runs `meeting` when the step has begun a phase that one of the two instances does not know
    /// yet.
    /// - Returns: an instance for the checks afterwards.
    private func runConcurrently(in step: RekeyingStep, _ meeting: @escaping Encounter) async throws -> TestService {
        let (store, clock) = try await RekeyingMoment(before: step).copy()
        let behind = try await Instance(2, store, clock)
        let service = try await TestService.makeInstance(4, store, clock)
        let meetings = Mutex<[Result<Void, any Error>]>([])
        let migration = IdentityRekeying(service.components.accounts) { seconds in
            if meetings.withLock({ $0.isEmpty }) {
                do {
                    try await meeting(behind, try await Instance(3, store, clock))
                    meetings.withLock { $0.append(.success(())) }
                } catch {
                    meetings.withLock { $0.append(.failure(error)) }
                }
            }
            clock.advance(by: seconds)
        } report: { _ in
        }
        try await step.run(migration)
        try #require(meetings.withLock { $0.first }).get()
        return service
    }

    @Test(
        "an interrupted sign-up takes no identity from a sign-up on an instance that is one phase apart",
        arguments: RekeyingStep.allCases, [true, false])
    func signUps(step: RekeyingStep, isAheadFirst: Bool) async throws {
        var call = 0
        while try await signsUp(in: step, isAheadFirst, endingAt: call) { call += 1 }
        #expect(call > 4)
    }

    private func signsUp(in step: RekeyingStep, _ isAheadFirst: Bool, endingAt call: Int) async throws -> Bool {
        let met = Mutex(FaultyObjectStore.FaultedRequest.nothing)
        let owner = Mutex<UserID?>(nil)
        let service = try await runConcurrently(in: step) { behind, ahead in
            let (first, second) = isAheadFirst ? (ahead, behind) : (behind, ahead)
            first.faulty.arm(.stopBefore, at: call)
            let told = try? await first.service.signUp(.google, "new", device: 20).user.serviceUserID
            met.withLock { $0 = first.faulty.faultedRequest }
            // The process is restarted.
            first.faulty.arm(.unavailable, at: .max)
            let toldLater = try? await second.service.signUp(.google, "new", device: 21).user.serviceUserID
            #expect(told == nil || toldLater == nil, "both sign-ups succeeded at request \(call)")
            for copy in [behind, ahead] {
                let found = try #require(try await copy.service.user(.google, "new"))
                #expect(found == told ?? toldLater ?? found, "request \(call)")
                owner.withLock { known in
                    #expect(known == nil || known == found, "instances disagree at request \(call)")
                    known = found
                }
            }
        }
        let known = owner.withLock { $0 }
        try await service.expect(.google, "new", finds: known)
        try await RekeyingStep.end(service, isConfirmed: call % 2 == 0)
        try await service.expect(.google, "new", finds: known)
        try await StoreRules(service: service).checkRepaired()
        try await service.expect(.google, "new", finds: known)
        return met.withLock { $0 } != .nothing
    }

    @Test("an act that loses an identity's second key leaves no binding under the first", arguments: [true, false])
    func secondKey(isLink: Bool) async throws {
        var (call, losses) = (0, 0)
        while let hasLost = try await removesSecondKey(isLink, before: call) {
            call += 1
            losses += hasLost ? 1 : 0
        }
        #expect(losses > 1)
    }

    /// - Returns: whether the act lost; `nil` if it makes no such request.
    private func removesSecondKey(_ isLink: Bool, before call: Int) async throws -> Bool? {
        let outcome = Mutex<Bool?>(nil)
        _ = try await runConcurrently(in: .confirm) { behind, ahead in
            let eve = try await ahead.service.signIn(.apple, "eve", device: 9)
            behind.interrupted.interrupt(before: call) {
                _ = try? await ahead.service.signUp(.google, "new", device: 21)
            }
            let told = await ServiceError.caught {
                if isLink {
                    _ = try await behind.service.link(.google, "new", in: eve.session)
                } else {
                    _ = try await behind.service.signUp(.google, "new", device: 20)
                }
            }
            guard !behind.interrupted.isWaiting else { return }
            let hasLost = told == .accountAlreadyExists || told == .providerAlreadyLinked
            outcome.withLock { $0 = hasLost }
            let old = try await ahead.faulty.get(ObjectKey(known: StorageLayout.identity(.google, segment: "new")))
            #expect(!hasLost || old == nil, "before request \(call)")
        }
        return outcome.withLock { $0 }
    }

    @Test("an instance unaware of a re-keying learns of it in time, so that no sign-up uses an old key")
    func unaware() async throws {
        let (store, clock) = try await RekeyingMoment(before: .apply).copy()
        let unaware = try await TestService.makeInstance(2, store, clock)
        let service = try await TestService.makeInstance(3, store, clock)
        _ = try await service.rekeying().apply(to: .hashed)
        _ = try await service.rekeying().confirm()
        let new = try await unaware.signUp(.google, "new", device: 20).user.serviceUserID
        try await service.expect(.google, "new", finds: new)
    }

    @Test("one of a concurrent confirmation and undo is performed, wherever they meet", arguments: [true, false])
    func twoEnds(isUndoFirst: Bool) async throws {
        var call = 0
        while try await ends(isUndoFirst, meetingAt: call) { call += 1 }
        #expect(call > 4)
    }

    private func ends(_ isUndoFirst: Bool, meetingAt call: Int) async throws -> Bool {
        let moment = try await RekeyingMoment(before: .confirm)
        let (store, clock) = moment.copy()
        let first = try await Instance(2, store, clock)
        let second = try await Instance(3, store, clock)
        let (one, other): (RekeyingStep, RekeyingStep) = isUndoFirst ? (.undo, .confirm) : (.confirm, .undo)
        let toldOther = Mutex<RekeyingError?>(nil)
        first.interrupted.interrupt(before: call) {
            let told = await RekeyingError.caught { try await other.run(second.service) }
            toldOther.withLock { $0 = told }
        }
        let told = await RekeyingError.caught { try await one.run(first.service) }
        guard !first.interrupted.isWaiting else { return false }
        let isOtherDone = toldOther.withLock { $0 } == nil
        #expect((told == nil) != isOtherDone, "\(String(describing: told)) at request \(call)")
        let service = try await TestService.makeInstance(4, store, clock)
        #expect(try await service.rekeying().status() == nil)
        // The work that the other one had begun when it paused is cleaned up.
        try await StoreRules(service: service).checkRepaired()
        let claims = try await store.list(prefix: StorageLayout.identities, after: nil, limit: 1000).objects
        let isConfirmed = (isOtherDone ? other : one) == .confirm
        let names = claims.map(\.key.description).filter { !$0.hasPrefix(StorageLayout.emailHint("")) }
        #expect(names.count == 3 && names.allSatisfy { $0.contains("~") == isConfirmed }, "\(names)")
        try await service.expect(.apple, "bob", finds: moment.before.user)
        try await service.expect(.google, "bob", finds: moment.before.user)
        return true
    }
}

extension RekeyingError {
    /// Returns the error of a step; `nil` is success.
    fileprivate static func caught(_ step: () async throws -> Void) async -> RekeyingError? {
        do {
            try await step()
            return nil
        } catch {
            return error as? RekeyingError ?? .account(.corrupted("\(error)"))
        }
    }
}
