import Flows
import PhotolalaAPI
import PhotolalaTesting

/// Two acts, the second done in the middle of the first, and what must be true then.
struct Interruption: Sendable, CustomStringConvertible {
    typealias Before = FaultScenario.Before
    typealias Act = @Sendable (TestService, Before) async throws -> Void

    let description: String
    /// They come upon a store that has lost all claims.
    var isAfterLoss = false
    /// What both come upon.
    let prepare: @Sendable (TestService) async throws -> Before
    let first: Act
    let second: Act
    let check: @Sendable (TestService, Before, Outcome) async throws -> Void

    /// The errors that the two were told; `nil` is success.
    struct Outcome: Sendable {
        let first: FlowError?
        let second: FlowError?
    }

    static let all = accounts + sessions + repairs + history

    static let bobAndEve: @Sendable (TestService) async throws -> Before = { service in
        Before(
            try await service.signUp(.apple, "bob"), other: try await service.signUp(.apple, "eve", device: 9)
        )
    }

    /// Bob with two providers, on a device for each.
    static let bobOnTwoDevices: @Sendable (TestService) async throws -> Before = { service in
        let phone = try await service.bobWithTwo()
        return Before(phone, other: try await service.signIn(.google, "bob", device: 2))
    }

    static let linkGoogle: Act = { service, before in
        _ = try await service.link(.google, "bob", in: before.session)
    }

    static let signOutEverywhere: Act = { service, before in
        try await service.services.signOutEverywhere(try await service.caller(before.session))
    }

    static let refresh: Act = { service, before in
        _ = try await service.services.refresh(RefreshRequest(refreshToken: before.session.refreshToken))
    }
}
