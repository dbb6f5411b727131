import Flows
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// One identity, many sign-ups: one account.
@Suite struct SignUpRaceTests {
    @Test("500 sign-ups of one identity at once leave one account, and nothing of the others")
    func racingSignUps() async throws {
        let service = try await TestService.make()
        let token = try service.token(.apple, "bob")
        let created = await withTaskGroup(of: UserID?.self) { group in
            for number in 0..<500 {
                group.addTask {
                    try? await service.services.signUp(
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

    @Test("Where continue is allowed, all of 100 racers come to the one account and one has created it")
    func racingContinues() async throws {
        var options = TestService.Options()
        options.allowsContinue = true
        let service = try await TestService.make(options)
        let token = try service.token(.apple, "bob")
        let outcomes = try await withThrowingTaskGroup(of: SignedIn.self) { group in
            for number in 0..<100 {
                group.addTask {
                    try await service.services.continueSignIn(
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

    @Test("The account of a lost race stays while its claim may still arrive, and the identity is never locked out")
    func lateClaim() async throws {
        let store = MemoryObjectStore { Date(timeIntervalSince1970: 0) }
        let faulty = FaultyObjectStore(store)
        let interrupted = InterruptedObjectStore(faulty)
        var options = TestService.Options()
        let slow = try await TestService.make(options, store: interrupted)
        options.seed = 2
        let fast = try await TestService.make(options, store: store)
        // Read the claim, write the account, write the claim: that one gets lost on its way, and while the slow one
        // looks for it somebody else is faster.
        faulty.arm(.lostAndLate, at: 2, lateness: .max)
        interrupted.interrupt(before: 4) { _ = try? await fast.signUp(.apple, "bob", device: 2) }
        await #expect(throws: FlowError.accountAlreadyExists) { try await slow.signUp(.apple, "bob") }
        let winner = try await fast.signIn(.apple, "bob", device: 2)
        _ = try await fast.link(.google, "bob", in: winner.session)
        try await fast.unlink(.apple, in: winner.session)
        await faulty.settle()
        // The late claim has an account to point at.
        #expect(try await store.get(ObjectKey(known: "identities/apple/bob")) != nil)
        let late = try await fast.signIn(.apple, "bob", device: 3)
        #expect(late.user.serviceUserID != winner.user.serviceUserID)
    }

    @Test("A sign-up that stood still for half of repair's grace writes no claim any more", arguments: [1799, 1800])
    func slowSignUp(seconds: Int) async throws {
        let service = try await TestService.make()
        let store = InterruptedObjectStore(service.store)
        let slow = try await TestService.make(store: store, clock: service.clock)
        // Read the claim, write the account, write the claim.
        store.interrupt(before: 1) { service.clock.advance(by: TimeInterval(seconds)) }
        let told = await FlowError.told { _ = try await slow.signUp(.apple, "bob") }
        #expect(told == (seconds < 1800 ? nil : .unavailable("the sign-up took too long")))
        let claim = try await service.store.get(ObjectKey(known: "identities/apple/bob"))
        #expect((claim != nil) == (seconds < 1800))
        // Repair may mark its account from now on; the person signs up again.
        if told != nil { _ = try await service.signUp(.apple, "bob", device: 2) }
        #expect(try await service.owner(.apple, "bob") != nil)
    }

    @Test("Continue is off unless it is allowed")
    func continueIsOff() async throws {
        let service = try await TestService.make()
        await #expect(throws: FlowError.continueNotAllowed) {
            try await service.services.continueSignIn(
                SignUpRequest(
                    provider: .apple, idToken: try service.token(.apple, "bob"), device: TestService.device(1)
                )
            )
        }
    }

    @Test("Signing up twice is refused and leaves the account as it was")
    func signingUpTwice() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        await #expect(throws: FlowError.accountAlreadyExists) { try await service.signUp(.apple, "bob", device: 2) }
        #expect(try await accounts(service) == [bob.user.serviceUserID])
    }

    private func accounts(_ service: TestService) async throws -> [UserID] {
        try await service.store.list(prefix: StorageLayout.accounts, after: nil, limit: 1000).objects
            .map(\.key.description).filter { $0.hasSuffix("/account.json") }
            .compactMap { UserID(String($0.dropFirst(StorageLayout.accounts.count).prefix(36))) }
    }
}
