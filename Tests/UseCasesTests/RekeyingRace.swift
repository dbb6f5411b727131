import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// An act on an identity that is being re-keyed concurrently.
struct RekeyingRace: Sendable, CustomStringConvertible {
    typealias Before = FaultScenario.Before

    let description: String
    let act: @Sendable (TestService, Before) async throws -> Void
    /// Checks the result of the act: `nil` is success.
    let check: @Sendable (TestService, Before, ServiceError?) async throws -> Void

    static let all = [signIn, signUp, signUpKnown, link, linkForeign, unlink, unlinkAndLink]

    private static let signIn = RekeyingRace(description: "sign in") { service, _ in
        _ = try await service.signIn(.google, "bob", device: 5)
    } check: { service, before, error in
        #expect(error == nil)
        try await service.expect(.google, "bob", finds: before.user)
    }

    private static let signUp = RekeyingRace(description: "sign up") { service, _ in
        _ = try await service.signUp(.google, "new", device: 5)
    } check: { service, before, error in
        let owner = try await service.user(.google, "new")
        #expect(error != nil || owner != nil)
        try await service.expect(.google, "bob", finds: before.user)
    }

    private static let signUpKnown = RekeyingRace(description: "sign up with a known identity") { service, _ in
        _ = try await service.signUp(.google, "bob", device: 5)
    } check: { service, before, error in
        #expect(error == .accountAlreadyExists)
        try await service.expect(.google, "bob", finds: before.user)
    }

    private static let link = RekeyingRace(description: "link") { service, before in
        let eve = try #require(before.other)
        _ = try await service.link(.google, "new", in: eve.session)
    } check: { service, before, error in
        let owner = try await service.user(.google, "new")
        #expect(owner == nil || owner == before.other?.user.serviceUserID)
        #expect(error != nil || owner != nil)
    }

    private static let linkForeign = RekeyingRace(description: "link another account's identity") { service, before in
        let eve = try #require(before.other)
        _ = try await service.link(.google, "bob", in: eve.session)
    } check: { service, before, error in
        #expect(error == .providerAlreadyLinked)
        try await service.expect(.google, "bob", finds: before.user)
    }

    private static let unlink = RekeyingRace(description: "unlink") { service, before in
        try await service.unlink(.google, in: before.session)
    } check: { service, before, error in
        #expect(error == nil)
        try await service.expect(.google, "bob", finds: nil)
        try await service.expect(.apple, "bob", finds: before.user)
    }

    private static let unlinkAndLink = RekeyingRace(description: "unlink, and another account links") {
        service, before in
        try await service.unlink(.google, in: before.session)
        let eve = try #require(before.other)
        _ = try await service.link(.google, "bob", in: eve.session)
    } check: { service, before, error in
        let owner = try await service.user(.google, "bob")
        #expect(error != nil || owner == before.other?.user.serviceUserID)
        #expect(owner != before.user)
    }
}
