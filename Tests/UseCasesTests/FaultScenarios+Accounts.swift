import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

extension FaultScenario {
    static let accounts: [FaultScenario] = [
        signUp, signUpAgain, signUpWithPendingIdentity, continueNew, continueKnown, signIn, signInUnknown, link,
        linkAgain, linkForeign, unlink, unlinkOwn, profile,
    ]

    private static let signUp = FaultScenario(description: "sign up", notes: [.accountCreated]) { service in
        Before(try await service.signUp(.google, "eve", device: 9))
    } act: { service, _ in
        .signedIn(try await service.signUp(.apple, "bob", name: "Bob", email: "bob@gmail.com"))
    } check: { service, _, outcome in
        var owner = try await service.owner(.apple, "bob")
        if owner == nil { owner = try await service.signUp(.apple, "bob").user.serviceUserID }
        try await service.expect(.apple, "bob", opens: owner)
        if case .signedIn(let bob) = outcome {
            #expect(bob.user.serviceUserID == owner)
            try await service.expect(bob.session, isOf: owner)
        }
    }

    private static let signUpAgain = FaultScenario(
        description: "sign up with an existing account", refusal: .accountAlreadyExists
    ) { service in
        Before(try await service.signUp(.apple, "bob"))
    } act: { service, _ in
        .signedIn(try await service.signUp(.apple, "bob", device: 2))
    } check: { service, before, _ in
        try await service.expect(.apple, "bob", opens: before.user)
        try await service.expect(before.session, isOf: before.user)
    }

    private static let signUpWithPendingIdentity = FaultScenario(
        description: "sign up with a pending identity", notes: [.accountCreated]
    ) {
        service in
        Before(try await service.signUp(.google, "eve", device: 9))
    } act: { service, _ in
        do {
            _ = try await service.signIn(.apple, "bob")
        } catch ServiceError.noAccountFound(let unknown) {
            let request = SignUpRequest(
                pendingIdentity: unknown.pendingIdentity, device: TestService.device(1)
            )
            return .signedIn(try await service.services.signUp.signUp(request))
        }
        throw ConformanceFailure("Bob already has an account")
    } check: { service, before, outcome in
        try await signUp.check(service, before, outcome)
    }

    private static let continueNew = FaultScenario(description: "continue, new", notes: [.accountCreated]) { service in
        Before(try await service.signUp(.google, "eve", device: 9))
    } act: { service, _ in
        .signedIn(try await service.continueSignIn(.apple, "bob"))
    } check: { service, before, outcome in
        try await signUp.check(service, before, outcome)
    }

    private static let continueKnown = FaultScenario(description: "continue, known", notes: [.signedIn]) { service in
        Before(try await service.bobWithTwo())
    } act: { service, _ in
        .signedIn(try await service.continueSignIn(.google, "bob", device: 2))
    } check: { service, before, outcome in
        try await signIn.check(service, before, outcome)
    }

    private static let signInUnknown = FaultScenario(description: "sign in without an account") { service in
        Before(try await service.bobWithTwo())
    } act: { service, _ in
        do {
            return .signedIn(try await service.signIn(.google, "other", email: "bob@gmail.com", device: 5))
        } catch ServiceError.noAccountFound(let unknown) {
            #expect(unknown.hints == [.google] || unknown.hints.isEmpty)
            return .done
        }
    } check: { service, before, outcome in
        if case .signedIn = outcome { Issue.record("another account was opened") }
        try await service.expect(.google, "other", opens: nil)
        try await service.expect(.google, "bob", opens: before.user)
    }

    private static let signIn = FaultScenario(description: "sign in", notes: [.signedIn]) { service in
        Before(try await service.bobWithTwo())
    } act: { service, _ in
        .signedIn(try await service.signIn(.google, "bob", device: 2))
    } check: { service, before, outcome in
        try await service.expect(.google, "bob", opens: before.user)
        try await service.expect(before.session, isOf: before.user)
        if case .signedIn(let bob) = outcome { try await service.expect(bob.session, isOf: before.user) }
    }

    private static let link = FaultScenario(description: "link", notes: [.providerLinked]) { service in
        Before(try await service.signUp(.apple, "bob"))
    } act: { service, before in
        _ = try await service.link(.google, "bob", in: before.session, email: "bob@gmail.com")
        return .done
    } check: { service, before, outcome in
        if outcome != nil { try await service.expect(.google, "bob", opens: before.user) }
        let links = try await service.link(.google, "bob", in: before.session).linkedProviders
        #expect(links.map(\.provider) == [.apple, .google] && links.allSatisfy { $0.state == .active })
        try await service.expect(.google, "bob", opens: before.user)
        try await service.expect(.apple, "bob", opens: before.user)
    }

    private static let linkAgain = FaultScenario(description: "link an unlinked identity", notes: [.providerLinked]) {
        service in
        let bob = try await service.bobWithTwo()
        try await service.unlink(.google, in: bob.session)
        return Before(bob)
    } act: { service, before in
        try await link.act(service, before)
    } check: { service, before, outcome in
        try await link.check(service, before, outcome)
    }

    private static let linkForeign = FaultScenario(
        description: "link another account's identity", refusal: .providerAlreadyLinked
    ) { service in
        Before(
            try await service.signUp(.apple, "bob"), other: try await service.signUp(.google, "eve", device: 9)
        )
    } act: { service, before in
        _ = try await service.link(.google, "eve", in: before.session)
        return .done
    } check: { service, before, _ in
        try await service.expect(.google, "eve", opens: before.other?.user.serviceUserID)
        let links = try await service.services.account.linkedAccounts(try await service.caller(before.session))
        #expect(links.linkedProviders.map(\.provider) == [.apple])
    }

    private static let unlink = FaultScenario(description: "unlink", notes: [.providerUnlinked]) { service in
        Before(try await service.bobWithTwo())
    } act: { service, before in
        try await service.unlink(.google, in: before.session)
        return .done
    } check: { service, before, outcome in
        if outcome != nil { try await service.expect(.google, "bob", opens: nil) }
        try? await service.unlink(.google, in: before.session)
        try await service.expect(.google, "bob", opens: nil)
        try await service.expect(.apple, "bob", opens: before.user)
        #expect(try await service.caller(before.session).account.value.links.map(\.provider) == [.apple])
        // The identity is free for another person, who learns nothing about Bob.
        do {
            _ = try await service.signIn(.google, "bob", email: "bob@gmail.com", device: 8)
        } catch ServiceError.noAccountFound(let unknown) {
            #expect(unknown.hints.isEmpty)
        }
        let eve = try await service.signUp(.google, "bob", email: "bob@gmail.com", device: 8)
        #expect(eve.user.serviceUserID != before.user)
    }

    private static let unlinkOwn = FaultScenario(
        description: "unlink the identity that opened the session", notes: [.providerUnlinked]
    ) { service in
        _ = try await service.bobWithTwo()
        return Before(try await service.signIn(.google, "bob", device: 2))
    } act: { service, before in
        try await service.unlink(.google, in: before.session)
        return .done
    } check: { service, before, outcome in
        if outcome != nil { try await service.expect(.google, "bob", opens: nil) }
        try await service.expect(before.session, isOf: before.user)
        try? await service.unlink(.google, in: before.session)
        try await service.expect(.google, "bob", opens: nil)
        let refreshed = try await service.services.sessions.refresh(
            RefreshRequest(refreshToken: before.session.refreshToken)
        )
        try await service.expect(refreshed.session, isOf: before.user)
    }

    private static let profile = FaultScenario(description: "replace the profile") { service in
        Before(try await service.signUp(.apple, "bob", name: "Bob"))
    } act: { service, before in
        _ = try await service.services.account.replaceProfile(
            before.user, with: Profile(displayName: "Robert"), if: .any,
            caller: try await service.caller(before.session)
        )
        return .done
    } check: { service, before, outcome in
        let caller = try await service.caller(before.session)
        let name = try await service.services.account.profile(before.user, caller: caller).profile.displayName
        #expect(name == "Robert" || (outcome == nil && name == "Bob"))
    }
}
