import PhotolalaAPI
import PhotolalaTesting
import UseCases

/// Two acts, the second performed in the middle of the first, and the conditions that must hold afterwards.
struct Interruption: Sendable, CustomStringConvertible {
    typealias Before = FaultScenario.Before
    typealias Operation = @Sendable (TestService, Before) async throws -> Void

    let description: String
    /// Whether the store has lost all identity bindings before the acts.
    var isAfterLoss = false
    /// Prepares the state before both acts.
    let prepare: @Sendable (TestService) async throws -> Before
    let first: Operation
    let second: Operation
    let check: @Sendable (TestService, Before, Outcome) async throws -> Void

    /// The errors of the two acts; `nil` is success.
    struct Outcome: Sendable {
        let first: ServiceError?
        let second: ServiceError?
    }

    static let all = accounts + sessions + repairs + history

    static let bobAndEve: @Sendable (TestService) async throws -> Before = { service in
        Before(
            try await service.signUp(.apple, "bob"), other: try await service.signUp(.apple, "eve", device: 9)
        )
    }

    /// Bob with two providers, on one device each.
    static let bobOnTwoDevices: @Sendable (TestService) async throws -> Before = { service in
        let phone = try await service.bobWithTwo()
        return Before(phone, other: try await service.signIn(.google, "bob", device: 2))
    }

    static let linkGoogle: Operation = { service, before in
        _ = try await service.link(.google, "bob", in: before.session)
    }

    static let signOutEverywhere: Operation = { service, before in
        try await service.services.sessions.signOutEverywhere(try await service.caller(before.session))
    }

    static let refresh: Operation = { service, before in
        _ = try await service.services.sessions.refresh(RefreshRequest(refreshToken: before.session.refreshToken))
    }
}
