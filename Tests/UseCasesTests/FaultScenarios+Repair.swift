import AccountMaintenance
import Accounts
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

extension FaultScenario {
    static let repairs: [FaultScenario] = [rebuilding, finishing, marking, removing]

    private static let rebuilding = FaultScenario(
        description: "repair after the loss of all bindings", isAfterLoss: true
    ) {
        try await $0.bobAfterLoss()
    } act: { service, _ in
        try await service.repair(atOnce: 1)
        return .done
    } check: { service, before, outcome in
        if outcome == nil { try await service.repair() }
        try await service.expect(.apple, "bob", opens: before.user)
        try await service.expect(.google, "bob", opens: before.user)
        try await service.expect(.apple, "eve", opens: before.other?.user.serviceUserID)
        try await service.expect(before.session, isOf: before.user)
    }

    private static let finishing = FaultScenario(
        description: "repair of interrupted links and unlinks", notes: [.providerLinked]
    ) { service in
        let bob = try await service.bobAfterLoss()
        try await service.repair()
        // A link without its identity binding, a link with it, and an unlink.
        let eve = try #require(bob.other)
        _ = try await service.link(.google, "eve", in: eve.session)
        try await service.setState(.pending, of: .google, eve.user.serviceUserID)
        service.clock.advance(by: 3601)
        let carol = try await service.signUp(.apple, "carol", device: 7)
        _ = try await service.link(.google, "carol", in: carol.session)
        try await service.setState(.removing, of: .google, carol.user.serviceUserID)
        try await service.setState(.pending, of: .google, bob.user)
        try await service.store.delete(ObjectKey(known: "identities/google/bob"), if: .always)
        return Before(try await service.signIn(.apple, "bob"), other: carol)
    } act: { service, _ in
        try await service.repair(atOnce: 1)
        return .done
    } check: { service, before, outcome in
        if outcome == nil { try await service.repair() }
        try await service.expect(.apple, "bob", opens: before.user)
        try await service.expect(.google, "bob", opens: nil)
        try await service.expect(.google, "carol", opens: nil)
        try await service.expect(.apple, "carol", opens: before.other?.user.serviceUserID)
        #expect(try await service.owner(.google, "eve") != nil)
    }

    private static let marking = FaultScenario(
        description: "repair of an unfinished sign-up", clears: .accountCreated
    ) { service in
        let bob = try await service.signUp(.apple, "bob")
        try await service.beginSignUp(.google, "new")
        service.clock.advance(by: 3601)
        return Before(bob)
    } act: { service, _ in
        try await service.repair(atOnce: 1)
        return .done
    } check: { service, before, _ in
        try await service.expect(.google, "new", opens: nil)
        let new = try await service.signUp(.google, "new", device: 5)
        try await service.expect(.google, "new", opens: new.user.serviceUserID)
        try await service.expect(.apple, "bob", opens: before.user)
    }

    private static let removing = FaultScenario(
        description: "repair of an abandoned sign-up", clears: .accountCreated
    ) { service in
        let before = try await marking.prepare(service)
        try await service.repair()
        service.clock.advance(by: 3601)
        return before
    } act: { service, before in
        try await marking.act(service, before)
    } check: { service, before, outcome in
        if outcome != nil {
            let rest = try await service.store.list(prefix: StorageLayout.accounts, after: nil, limit: 1000).objects
            #expect(rest.allSatisfy { $0.key.description.contains(before.user.description) })
        }
        try await marking.check(service, before, outcome)
    }
}

extension TestService {
    /// Repairs the store.
    func repair(atOnce: Int = 16) async throws {
        do {
            _ = try await Repair(components.accounts, isDryRun: false, concurrency: atOnce) { _ in }.run()
        } catch .store(let error) {
            throw ServiceError.unavailable("\(error)")
        }
    }

    /// Bob with two providers and Eve, both an hour old, signed in again and then without any identity binding.
    func bobAfterLoss() async throws -> FaultScenario.Before {
        _ = try await bobWithTwo()
        _ = try await signUp(.apple, "eve", device: 9)
        clock.advance(by: 3601)
        let before = FaultScenario.Before(
            try await signIn(.apple, "bob"), other: try await signIn(.apple, "eve", device: 9)
        )
        try await removeBindings()
        return before
    }

    /// Begins a sign-up that stops before it writes the identity binding.
    func beginSignUp(_ provider: ProviderName, _ subject: String) async throws {
        let new = try await signUp(provider, subject, device: 99).user.serviceUserID
        for object in try await store.list(prefix: StorageLayout.account(new), after: nil, limit: 1000).objects
        where object.key.description != StorageLayout.accountDocument(new) {
            try await store.delete(object.key, if: .always)
        }
        try await store.delete(ObjectKey(known: "identities/\(provider)/\(subject)"), if: .always)
    }

    /// Sets the state of an account's link with a provider.
    func setState(_ state: LinkState, of provider: ProviderName, _ user: UserID) async throws {
        let documents = Documents<AccountDocument>(
            store: store, retry: RetryPolicy(backoff: Backoff(randomness: .seeded(1)) { _ in })
        )
        let key = ObjectKey(known: StorageLayout.accountDocument(user))
        let stored = try #require(try await documents.load(key))
        var next = stored.value
        next.links = next.links.map { link in
            var changed = link
            if link.provider == provider { changed.state = state }
            return changed
        }
        _ = try await documents.replace(key, stored, with: next)
    }
}
