import AccountMaintenance
import Accounts
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// One run with the results of all acts and the resulting store.
struct SimulatedRun: Sendable, CustomStringConvertible {
    /// The result of an act.
    struct ReportedResult: Sendable {
        let error: ServiceError?
        let sessions: [Session]
    }

    /// The run that the current task checks.
    @TaskLocal static var checked: SimulatedRun?

    let seed: UInt64
    let operations: [SimulatedOperation]
    let told: [Int: ReportedResult]
    let trace: SimulationTrace
    let fixture: SimulatedOperation.Fixture
    let service: TestService
    let receiver: RecordingEventReceiver

    /// Describes the run for the analysis of a failure.
    var description: String {
        let outcomes = operations.enumerated().map { number, act in
            "\(number) \(act.rawValue): \(told[number].map { $0.error.map { "\($0)" } ?? "done" } ?? "no end")"
        }
        return "PHOTOLALA_SEED=\(seed)\n\(outcomes.joined(separator: "\n"))\n\(trace)"
    }

    private func has(_ others: SimulatedOperation...) -> Bool { operations.contains { others.contains($0) } }

    private func isDone(_ act: SimulatedOperation) -> Bool {
        operations.indices.contains { operations[$0] == act && told[$0]?.error == nil && told[$0] != nil }
    }

    /// Returns the sessions that an act received where it succeeded.
    private func sessions(of act: SimulatedOperation) -> [Session] {
        operations.indices.filter { operations[$0] == act && told[$0]?.error == nil }.flatMap {
            told[$0]?.sessions ?? []
        }
    }

    private var losesClaims: Bool { has(.loseClaims) }
    private var rules: StoreRules {
        StoreRules(service: service, isAfterLoss: losesClaims, isAfterUndo: has(.migrateAndUndo))
    }
    /// Whether the Google identity may be linked again after it was unlinked.
    private var mayRelink: Bool {
        has(.linkGoogle, .eveLinksGoogle, .signUpGoogle, .continueGoogle, .unlinkAndRelink)
    }

    /// Whether a refresh token may be reused after the grace period, or after its successor was used.
    private var mayReuse: Bool {
        let refreshing = operations.count { $0 == .refresh || $0 == .refreshTwice }
        return refreshing > 0 && trace.hasLeaps || refreshing > 1 && has(.refreshTwice)
    }

    /// Checks the invariants of every store, then the results that these acts must and must not have.
    func check() async throws {
        for case .internal(let reason)? in told.values.map(\.error) { Issue.record("\(reason) in \(self)") }
        do {
            checkHistory(try await rules.check())
            try await checkTokens()
            try await checkSessions()
            if losesClaims {
                // An hour later, lost identity bindings of existing accounts have been missing for long enough.
                service.clock.advance(by: 3601)
                try await service.repair()
            }
            try await checkIdentities()
            try await checkMove()
            try await checkTransfer()
            try await rules.checkRepaired()
            try await EventRules(service: service, receiver: receiver).check()
        } catch {
            Issue.record("\(error) in \(self)")
        }
    }

    /// Checks that each acknowledged act is recorded, and none more often than it was requested.
    private func checkHistory(_ counts: [AuditAction: Int]) {
        for act in Set(SimulatedOperation.allCases.flatMap(\.mayNote)) {
            // Each of a person's two ids has its own entry.
            let isOfBoth = isTransferring && [.providerUnlinked, .providerRevoked].contains(act)
            let tries = operations.count { $0.mayNote.contains(act) } * (isOfBoth ? 2 : 1)
            // A sign-out of a session that reuse has ended is not recorded.
            let done = operations.indices.filter {
                operations[$0].notes == act && told[$0] != nil && told[$0]?.error == nil
                    && !(mayReuse && act == .signedOut)
            }
            let least = done.first.map { operations[$0].notesEach } == true ? done.count : min(1, done.count)
            let added = (counts[act] ?? 0) - (fixture.history[act] ?? 0)
            #expect((least...max(least, tries)).contains(added), "\(act) \(added) times: \(self)")
        }
    }

    /// Completes a re-keying in progress; accounts and bindings must be unaffected.
    private func checkMove() async throws {
        guard has(.migrate, .migrateAndUndo) else { return }
        try await RekeyingStep.end(service, isConfirmed: seed % 2 == 0)
        let links = try await StoreRules(service: service).accounts().values.flatMap(\.links)
        if isDone(.migrate) { #expect(links.allSatisfy { $0.segment.hasPrefix("~") }, "\(self)") }
        if isDone(.migrateAndUndo), !has(.migrate) {
            #expect(links.allSatisfy { !$0.segment.hasPrefix("~") }, "\(self)")
        }
        try await checkIdentities()
    }

    private var isTransferring: Bool { operations.contains(where: SimulatedOperation.ofTransfer.contains) }

    /// Returns the account that Apple opens, under either of Bob's ids. Never two.
    private func appleUser() async throws -> UserID? {
        let old = try await service.user(.apple, "bob")
        guard isTransferring else { return old }
        let moved = try await service.user(.apple, "moved-bob")
        #expect(old == nil || moved == nil || old == moved, "two accounts: \(self)")
        return old ?? moved
    }

    /// Completes the operator's steps: afterwards only the new id opens Bob's account, unless he had unlinked it.
    private func checkTransfer() async throws {
        guard isTransferring else { return }
        service.clock.advance(by: 3601)
        try await service.repair()
        for step in [TeamTransfer.Step.complete, .confirm] { _ = try await service.transfer(step) }
        try await checkIdentities()
        let moved = try await service.user(.apple, "moved-bob")
        #expect(has(.unlinkApple) || moved == fixture.bob, "\(self)")
        #expect(try await service.user(.apple, "bob") == nil, "\(self)")
    }

    private func checkIdentities() async throws {
        let apple = try await appleUser()
        let google = try await service.user(.google, "bob")
        let isTaken = losesClaims && has(.eveLinksGoogle, .signUpGoogle, .continueGoogle)
        #expect(apple == fixture.bob || google == fixture.bob || isTaken, "Bob has no way in: \(self)")
        if !has(.unlinkApple) { #expect(apple == fixture.bob, "\(self)") }
        // A sign-up with the new id after the unlinking creates a new account.
        let isNew = has(.signUpMoved) && apple != fixture.bob
        if isDone(.unlinkApple) { #expect(apple == nil || isNew, "\(self)") }
        if !has(.unlinkGoogle, .unlinkGoogleOnTablet, .unlinkAndRelink), !isTaken {
            #expect(google == fixture.bob, "\(self)")
        }
        if isDone(.unlinkGoogle) || isDone(.unlinkGoogleOnTablet), !mayRelink { #expect(google == nil, "\(self)") }
        if isDone(.eveLinksGoogle), !losesClaims { #expect(google == fixture.eve.user.serviceUserID, "\(self)") }
        let eve = try await service.user(.apple, "eve")
        #expect(eve == fixture.eve.user.serviceUserID, "\(self)")
        let new = try await service.user(.google, "new")
        #expect(new != nil || !isDone(.signUpNew), "\(self)")
        for session in sessions(of: .signUpNew) where !losesClaims {
            #expect(try service.components.sessions.parse(session.refreshToken, nil).user == new, "\(self)")
        }
    }

    /// Checks that no issued refresh token is newer than the unused one: there is at most one unused token.
    private func checkTokens() async throws {
        let given = [fixture.phone.session, fixture.tablet.session] + told.values.flatMap(\.sessions)
        for session in given {
            let token = try service.components.sessions.parse(session.refreshToken, nil)
            let device = try await service.components.sessions.devices.device(token.device, of: token.user)
            guard let record = device?.value.session, record.id == token.session else { continue }
            #expect(token.counter <= record.counter, "a token of the future: \(self)")
        }
    }

    private func checkSessions() async throws {
        let phone = fixture.phone.session
        if isDone(.signOut) || isDone(.signOutEverywhere)
            || isDone(.appleWithdraws) && !has(.unlinkApple) && !losesClaims
        {
            #expect(await !isSessionValid(phone), "\(self)")
        } else if !has(.signOut, .signOutEverywhere, .appleWithdraws), !mayReuse {
            try await checkRefreshed(phone)
        }
        let tablet = fixture.tablet.session
        if isDone(.removeTablet) || (isDone(.unlinkGoogle) && !has(.unlinkGoogleOnTablet)) {
            #expect(await !isSessionValid(tablet), "\(self)")
        } else if isDone(.unlinkGoogleOnTablet),
            !has(.signOutEverywhere, .removeTablet, .unlinkGoogle, .unlinkAndRelink)
        {
            #expect(await isSessionValid(tablet), "\(self)")
        }
        for session in sessions(of: .signInApple) where !has(.unlinkApple, .signOutEverywhere, .appleWithdraws) {
            #expect(await isSessionValid(session), "\(self)")
        }
        if isDone(.unlinkGoogle) || isDone(.unlinkGoogleOnTablet), !mayRelink {
            for session in sessions(of: .signInGoogle) { #expect(await !isSessionValid(session), "\(self)") }
        }
        for session in sessions(of: .signUpNew) { #expect(await isSessionValid(session), "\(self)") }
    }

    /// Checks that a client that lost an answer can refresh again, and that the newest token can be refreshed.
    private func checkRefreshed(_ phone: Session) async throws {
        var newest = phone
        for session in told.values.flatMap(\.sessions) where session.deviceID == phone.deviceID {
            let (token, known) = (
                try service.components.sessions.parse(session.refreshToken, nil),
                try service.components.sessions.parse(newest.refreshToken, nil)
            )
            if token.session == known.session, token.counter > known.counter { newest = session }
        }
        let again = try await SimulatedOperation.refresh(newest, service)
        let next = try await SimulatedOperation.refresh(again, service)
        #expect(try await service.caller(next).user == fixture.bob, "\(self)")
    }

    /// Returns whether a session is active. Its access token may have expired; then it is refreshed.
    private func isSessionValid(_ session: Session) async -> Bool {
        do {
            let current = trace.hasLeaps ? try await SimulatedOperation.refresh(session, service) : session
            _ = try await service.caller(current)
            return true
        } catch {
            return false
        }
    }
}
