import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Many sign-ups of one identity create one account.
@Suite struct SignUpRaceTests {
    @Test("500 concurrent sign-ups of one identity leave one account and no remains of the others")
    func racingSignUps() async throws {
        let service = try await TestService.make()
        let token = try service.token(.apple, "bob")
        let created = await withTaskGroup(of: UserID?.self) { group in
            for number in 0..<500 {
                group.addTask {
                    try? await service.services.signUp.signUp(
                        SignUpRequest(provider: .apple, idToken: token, device: TestService.device(number))
                    ).user.serviceUserID
                }
            }
            return await group.reduce(into: [UserID]()) { users, user in user.map { users.append($0) } }
        }
        #expect(created.count == 1)
        let accounts = try await accounts(service)
        #expect(accounts == created)
        #expect(try await service.signIn(.apple, "bob").user.serviceUserID == created.first)
    }

    @Test("where continue is allowed, 100 concurrent calls return one account, created by one of them")
    func racingContinues() async throws {
        var options = TestService.Options()
        options.allowsContinue = true
        let service = try await TestService.make(options)
        let token = try service.token(.apple, "bob")
        let outcomes = try await withThrowingTaskGroup(of: SignedIn.self) { group in
            for number in 0..<100 {
                group.addTask {
                    try await service.services.signUp.continueSignIn(
                        SignUpRequest(provider: .apple, idToken: token, device: TestService.device(number))
                    )
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(outcomes.map(\.user.serviceUserID)).count == 1)
        #expect(outcomes.filter { $0.isNewUser == true }.count == 1)
        #expect(try await accounts(service).count == 1)
    }

    @Test("the account of a lost race stays while its binding may still arrive, and the identity is never locked out")
    func lateClaim() async throws {
        let store = MemoryObjectStore { Date(timeIntervalSince1970: 0) }
        let faulty = FaultyObjectStore(store)
        let interrupted = InterruptedObjectStore(faulty)
        var options = TestService.Options()
        let slow = try await TestService.make(options, store: interrupted)
        options.seed = 2
        let fast = try await TestService.make(options, store: store)
        // The requests: read the identity binding, write the account, write the identity binding. The last write is
        // delayed, and while the slow instance checks for it, the fast one creates another.
        faulty.arm(.lostAndLate, at: 2, lateness: .max)
        interrupted.interrupt(before: 4) { _ = try? await fast.signUp(.apple, "bob", device: 2) }
        await #expect(throws: ServiceError.accountAlreadyExists) { try await slow.signUp(.apple, "bob") }
        let winner = try await fast.signIn(.apple, "bob", device: 2)
        _ = try await fast.link(.google, "bob", in: winner.session)
        try await fast.unlink(.apple, in: winner.session)
        await faulty.applyLateChange()
        // The late identity binding refers to an existing account.
        #expect(try await store.get(ObjectKey(known: "identities/apple/bob")) != nil)
        let late = try await fast.signIn(.apple, "bob", device: 3)
        #expect(late.user.serviceUserID != winner.user.serviceUserID)
    }

    @Test(
        "a sign-up that pauses for half of repair's grace period writes no identity binding", arguments: [1799, 1800])
    func slowSignUp(seconds: Int) async throws {
        let service = try await TestService.make()
        let store = InterruptedObjectStore(service.store)
        let slow = try await TestService.make(store: store, clock: service.clock)
        // The requests: read the identity binding, write the account, write the identity binding.
        store.interrupt(before: 1) { service.clock.advance(by: TimeInterval(seconds)) }
        let told = await ServiceError.caught { _ = try await slow.signUp(.apple, "bob") }
        #expect(told == (seconds < 1800 ? nil : .unavailable("sign-up timed out")))
        let claim = try await service.store.get(ObjectKey(known: "identities/apple/bob"))
        #expect((claim != nil) == (seconds < 1800))
        // From now on repair may mark its account; the person signs up again.
        if told != nil { _ = try await service.signUp(.apple, "bob", device: 2) }
        #expect(try await service.owner(.apple, "bob") != nil)
    }

    @Test("continue is rejected unless it is enabled")
    func continueIsOff() async throws {
        let service = try await TestService.make()
        await #expect(throws: ServiceError.continueNotAllowed) {
            try await service.services.signUp.continueSignIn(
                SignUpRequest(
                    provider: .apple, idToken: try service.token(.apple, "bob"), device: TestService.device(1)
                )
            )
        }
    }

    @Test("a second sign-up is rejected and leaves the account unchanged")
    func signingUpTwice() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        await #expect(throws: ServiceError.accountAlreadyExists) { try await service.signUp(.apple, "bob", device: 2) }
        #expect(try await accounts(service) == [bob.user.serviceUserID])
    }

    private func accounts(_ service: TestService) async throws -> [UserID] {
        try await service.store.list(prefix: StorageLayout.accounts, after: nil, limit: 1000).objects
            .map(\.key.description).filter { $0.hasSuffix("/account.json") }
            .compactMap { UserID(String($0.dropFirst(StorageLayout.accounts.count).prefix(36))) }
    }
}
