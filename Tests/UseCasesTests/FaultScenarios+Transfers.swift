import AccountMaintenance
import DevelopmentIdentityProvider
import IdentityProviders
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Acts on an identity whose app is transferred to another developer team.
extension FaultScenario {
    static let transfers: [FaultScenario] = [signUpMoved, confirmTransfer]

    private static let signUpMoved = FaultScenario(
        description: "sign up with an identity that has moved", refusal: .accountAlreadyExists, notes: [.providerLinked]
    ) { service in
        let bob = try await service.signUp(.apple, "bob")
        _ = try await service.transfer(.prepare(team: "NEWTEAM123"))
        return Before(bob)
    } act: { service, _ in
        .signedIn(try await service.signUp(.apple, "moved-bob", device: 2))
    } check: { service, before, _ in
        try await service.expect(.apple, "moved-bob", opens: before.user)
        try await service.expect(.apple, "bob", opens: before.user)
        try await service.expect(before.session, isOf: before.user)
    }

    private static let confirmTransfer = FaultScenario(
        description: "confirm a transfer", notes: [.providerTransferred, .providerUnlinked]
    ) { service in
        let bob = try await service.signUp(.apple, "bob")
        _ = try await service.transfer(.prepare(team: "NEWTEAM123"))
        _ = try await service.transfer(.complete)
        return Before(bob)
    } act: { service, _ in
        _ = try await service.transfer(.confirm)
        return .done
    } check: { service, before, _ in
        #expect(try await service.transfer(.confirm).settled == 1)
        try await service.expect(.apple, "moved-bob", opens: before.user)
        try await service.expect(.apple, "bob", opens: nil)
        try await service.expect(before.session, isOf: before.user)
    }
}

extension TestService {
    /// Performs a step of an Apple team transfer, with the development provider as Apple.
    func transfer(_ step: TeamTransfer.Step) async throws -> TeamTransferSummary {
        guard
            let tokens = OAuthTokenService(settings: apple.settings, transport: network, now: { [clock] in clock.now }),
            let url = apple.settings.userMigrationURL
        else { throw ConformanceFailure("the development provider has no such endpoints") }
        let service = AppleTeamTransfer(
            service: tokens, url: url, clientID: "photolala-dev", now: { [clock] in clock.now })
        do {
            return try await TeamTransfer(components.accounts, provider: .apple, service: service) { _ in }.run(step)
        } catch {
            throw ServiceError.unavailable("\(error)")
        }
    }
}
