import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

extension Interruption {
    static let accounts: [Interruption] = [
        twoSignUps, twoLinks, linkAndSignUp, linkAndUnlink, twoUnlinks, unlinkTwice, unlinkAndLink,
        linkAndSignOutEverywhere,
        unlinkAndSignIn, ownUnlinkAndOther, twoProfiles,
    ]

    private static let twoSignUps = Interruption(description: "two sign-ups of one identity", prepare: bobAndEve) {
        service, _ in
        _ = try await service.signUp(.google, "new", device: 3)
    } second: { service, _ in
        _ = try await service.signUp(.google, "new", device: 4)
    } check: { service, _, outcome in
        #expect((outcome.first == nil) != (outcome.second == nil), "\(outcome)")
        let owner = try await service.owner(.google, "new")
        #expect(owner != nil)
    }

    private static let twoLinks = Interruption(description: "two accounts link one identity", prepare: bobAndEve) {
        try await linkGoogle($0, $1)
    } second: { service, before in
        let eve = try #require(before.other)
        _ = try await service.link(.google, "bob", in: eve.session)
    } check: { service, before, outcome in
        #expect((outcome.first == nil) != (outcome.second == nil), "\(outcome)")
        let owner = outcome.first == nil ? before.user : before.other?.user.serviceUserID
        try await service.expect(.google, "bob", opens: owner)
        let loser = outcome.first == nil ? try #require(before.other).session : before.session
        let links = try await service.services.account.linkedAccounts(try await service.caller(loser)).linkedProviders
        #expect(links.map(\.provider) == [.apple])
    }

    private static let linkAndSignUp = Interruption(description: "a link, a sign-up inside", prepare: bobAndEve) {
        try await linkGoogle($0, $1)
    } second: { service, _ in
        _ = try await service.signUp(.google, "bob", device: 5)
    } check: { service, before, outcome in
        #expect((outcome.first == nil) != (outcome.second == nil), "\(outcome)")
        let owner = try await service.owner(.google, "bob")
        #expect((owner == before.user) == (outcome.first == nil))
        try await service.expect(.apple, "bob", opens: before.user)
    }

    private static let linkAndUnlink = Interruption(
        description: "a link, unlinked by another device inside",
        prepare: { service in
            let phone = try await service.signUp(.apple, "bob")
            return Before(phone, other: try await service.signIn(.apple, "bob", device: 2))
        }
    ) {
        try await linkGoogle($0, $1)
    } second: { service, before in
        try await service.unlink(.google, in: try #require(before.other).session)
    } check: { service, before, outcome in
        // A failed attempt leaves nothing.
        let claim = try await service.store.get(ObjectKey(known: "identities/google/bob"))
        #expect(outcome.first == nil || claim == nil, "\(outcome)")
        let owner = try await service.owner(.google, "bob", device: 92)
        #expect(owner == (outcome.first == nil && outcome.second != nil ? before.user : nil), "\(outcome)")
        try await service.expect(.apple, "bob", opens: before.user)
    }

    private static let twoUnlinks = Interruption(
        description: "each of two devices unlinks the other's", prepare: bobOnTwoDevices
    ) { service, before in
        try await service.unlink(.google, in: before.session)
    } second: { service, before in
        try await service.unlink(.apple, in: try #require(before.other).session)
    } check: { service, before, outcome in
        let apple = try await service.owner(.apple, "bob", device: 91)
        let google = try await service.owner(.google, "bob", device: 92)
        #expect([apple, google].filter { $0 == before.user }.count >= 1, "\(outcome)")
        #expect(outcome.first != nil || google == nil)
        #expect(outcome.second != nil || apple == nil)
    }

    private static let unlinkTwice = Interruption(description: "one link unlinked twice", prepare: bobOnTwoDevices) {
        service, before in
        try await service.unlink(.google, in: before.session)
    } second: { service, before in
        try await service.unlink(.google, in: try #require(before.other).session)
    } check: { service, before, _ in
        try await service.expect(.google, "bob", opens: nil)
        try await service.expect(.apple, "bob", opens: before.user)
        try await service.expect(before.session, isOf: before.user)
    }

    private static let unlinkAndLink = Interruption(
        description: "a link is unlinked, linked again inside", prepare: bobOnTwoDevices
    ) { service, before in
        try await service.unlink(.google, in: before.session)
    } second: { service, before in
        _ = try await service.link(.google, "bob", in: before.session)
    } check: { service, before, outcome in
        let owner = try await service.owner(.google, "bob", device: 92)
        #expect(owner == before.user || owner == nil)
        #expect(outcome.first == nil && outcome.second == nil, "\(outcome)")
        try await service.expect(.apple, "bob", opens: before.user)
    }

    private static let linkAndSignOutEverywhere = Interruption(
        description: "a link, signed out everywhere inside", prepare: bobAndEve
    ) {
        try await linkGoogle($0, $1)
    } second: {
        try await signOutEverywhere($0, $1)
    } check: { service, before, outcome in
        // A link completed before sign-out everywhere remains; any other link has no effect.
        let events = try await service.auditEvents(of: before.user)
        let linked = events.firstIndex(of: .providerLinked)
        let signedOut = events.firstIndex(of: .signedOutEverywhere)
        if let linked, let signedOut { #expect(linked < signedOut, "\(outcome)") }
        #expect((outcome.first == nil) == (linked != nil), "\(outcome)")
        let owner = try await service.owner(.google, "bob", device: 92)
        #expect(owner == (linked != nil ? before.user : nil))
        try await service.expect(.apple, "bob", opens: before.user)
    }

    private static let unlinkAndSignIn = Interruption(
        description: "an unlink, a sign-in with it inside", prepare: bobOnTwoDevices
    ) { service, before in
        try await service.unlink(.google, in: before.session)
    } second: { service, _ in
        _ = try await service.signIn(.google, "bob", device: 7)
    } check: { service, before, _ in
        try await service.expect(.google, "bob", opens: nil)
        // The device that signed in is removed with the link.
        let devices = try await service.services.devices.list(of: try await service.caller(before.session)).devices
        #expect(!devices.contains { $0.id == TestService.device(7).id })
    }

    private static let ownUnlinkAndOther = Interruption(
        description: "a device unlinks its own, another the other", prepare: bobOnTwoDevices
    ) { service, before in
        try await service.unlink(.apple, in: before.session)
    } second: { service, before in
        try await service.unlink(.google, in: try #require(before.other).session)
    } check: { service, before, outcome in
        let apple = try await service.owner(.apple, "bob", device: 91)
        let google = try await service.owner(.google, "bob", device: 92)
        #expect([apple, google].filter { $0 == before.user }.count == 1, "\(outcome)")
        // A caller whose act succeeded is still signed in.
        if outcome.first == nil, outcome.second != nil { try await service.expect(before.session, isOf: before.user) }
        if outcome.second == nil, outcome.first != nil {
            try await service.expect(try #require(before.other).session, isOf: before.user)
        }
    }

    private static let twoProfiles = Interruption(description: "two profile writes", prepare: bobAndEve) {
        service, before in
        try await replaceProfile("first", service, before)
    } second: { service, before in
        try await replaceProfile("second", service, before)
    } check: { service, before, outcome in
        #expect(outcome.first == nil && outcome.second == nil)
        let caller = try await service.caller(before.session)
        let name = try await service.services.account.profile(before.user, caller: caller).profile.displayName
        #expect(name == "first" || name == "second")
    }

    private static func replaceProfile(_ name: String, _ service: TestService, _ before: Before) async throws {
        _ = try await service.services.account.replaceProfile(
            before.user, with: Profile(displayName: name), if: .any, caller: try await service.caller(before.session)
        )
    }
}
