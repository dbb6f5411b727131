import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

extension Interruption {
    static let repairs: [Interruption] = [
        repairAndSignUp, signUpAndRepair, repairAndSignIn, repairAndForeignLink, foreignLinkAndRepair,
        repairAndUnlink, unlinkAndRepair, twoRepairs, repairAndPendingLink, pendingLinkAndRepair,
        repairAndUnfinishedSignUp,
    ]

    private static let afterLoss: @Sendable (TestService) async throws -> Before = { try await $0.bobAfterLoss() }
    private static let repair: Operation = { service, _ in try await service.repair(atOnce: 1) }
    private static let signUpGoogle: Operation = { service, _ in _ = try await service.signUp(.google, "bob", device: 5)
    }
    private static let unlinkGoogle: Operation = { service, before in
        try await service.unlink(.google, in: before.session)
    }
    private static let eveLinksGoogle: Operation = { service, before in
        _ = try await service.link(.google, "bob", in: try #require(before.other).session)
    }

    /// Expects that repair loses no recoverable identity, and that an acknowledged owner keeps the identity.
    private static func expectOneOwner(
        _ service: TestService, _ before: Before, told: ServiceError?, _ newcomer: UserID?
    ) async throws {
        try await service.repair()
        let owner = try await service.owner(.google, "bob")
        #expect((owner == before.user) == (told != nil), "\(String(describing: told))")
        if let newcomer, told == nil { #expect(owner == newcomer) }
        try await service.expect(.apple, "bob", opens: before.user)
        try await service.expect(.apple, "eve", opens: before.other?.user.serviceUserID)
        try await service.expect(before.session, isOf: before.user)
    }

    private static let repairAndSignUp = Interruption(
        description: "a repair of lost bindings, a sign-up inside", isAfterLoss: true, prepare: afterLoss,
        first: repair,
        second: signUpGoogle
    ) { service, before, outcome in
        try await expectOneOwner(service, before, told: outcome.second, nil)
    }

    private static let signUpAndRepair = Interruption(
        description: "a sign-up, lost bindings repaired inside", isAfterLoss: true, prepare: afterLoss,
        first: signUpGoogle, second: repair
    ) { service, before, outcome in
        try await expectOneOwner(service, before, told: outcome.first, nil)
    }

    private static let repairAndSignIn = Interruption(
        description: "a repair of lost bindings, a sign-in inside", isAfterLoss: true, prepare: afterLoss, first: repair
    ) { service, _ in
        _ = try await service.owner(.google, "bob", device: 4)
    } check: { service, before, outcome in
        #expect(outcome.first == nil && outcome.second == nil)
        try await service.expect(.google, "bob", opens: before.user)
        try await service.expect(.apple, "bob", opens: before.user)
    }

    private static let repairAndForeignLink = Interruption(
        description: "a repair of lost bindings, another account links one inside", isAfterLoss: true,
        prepare: afterLoss,
        first: repair, second: eveLinksGoogle
    ) { service, before, outcome in
        try await expectOneOwner(service, before, told: outcome.second, before.other?.user.serviceUserID)
    }

    private static let foreignLinkAndRepair = Interruption(
        description: "a link of a lost identity by another account, repair inside", isAfterLoss: true,
        prepare: afterLoss,
        first: eveLinksGoogle, second: repair
    ) { service, before, outcome in
        try await expectOneOwner(service, before, told: outcome.first, before.other?.user.serviceUserID)
    }

    private static let repairAndUnlink = Interruption(
        description: "a repair of lost bindings, an unlink inside", isAfterLoss: true, prepare: afterLoss,
        first: repair,
        second: unlinkGoogle
    ) { service, before, outcome in
        #expect(outcome.first == nil && outcome.second == nil, "\(outcome)")
        // Nothing is left for a later cleanup.
        let left = try await service.store.get(ObjectKey(known: "identities/google/bob"))
        #expect(left == nil)
        try await service.repair()
        try await service.expect(.google, "bob", opens: nil)
        try await service.expect(.apple, "bob", opens: before.user)
    }

    private static let unlinkAndRepair = Interruption(
        description: "an unlink, lost bindings repaired inside", isAfterLoss: true, prepare: afterLoss,
        first: unlinkGoogle, second: repair
    ) { service, before, outcome in
        try await repairAndUnlink.check(service, before, outcome)
    }

    private static let twoRepairs = Interruption(
        description: "two repairs of lost bindings", isAfterLoss: true, prepare: afterLoss, first: repair,
        second: repair
    ) { service, before, outcome in
        #expect(outcome.first == nil && outcome.second == nil, "\(outcome)")
        try await service.expect(.google, "bob", opens: before.user)
        try await service.expect(.apple, "bob", opens: before.user)
        try await service.expect(.apple, "eve", opens: before.other?.user.serviceUserID)
    }

    /// A link that stopped before its identity binding, long ago.
    private static let pending: @Sendable (TestService) async throws -> Before = { service in
        let bob = try await service.bobWithTwo().user.serviceUserID
        service.clock.advance(by: 3601)
        try await service.setState(.pending, of: .google, bob)
        try await service.store.delete(ObjectKey(known: "identities/google/bob"), if: .always)
        return Before(try await service.signIn(.apple, "bob"))
    }

    private static let repairAndPendingLink = Interruption(
        description: "a repair of an old linking, linked again inside", prepare: pending, first: repair,
        second: linkGoogle
    ) { service, before, outcome in
        #expect(outcome.first == nil)
        try await service.expect(.google, "bob", opens: outcome.second == nil ? before.user : nil)
        try await service.expect(.apple, "bob", opens: before.user)
    }

    private static let pendingLinkAndRepair = Interruption(
        description: "an old linking again, repair inside", prepare: pending, first: linkGoogle, second: repair
    ) { service, before, outcome in
        #expect(outcome.second == nil)
        try await service.expect(.google, "bob", opens: outcome.first == nil ? before.user : nil)
        try await service.expect(.apple, "bob", opens: before.user)
    }

    private static let repairAndUnfinishedSignUp = Interruption(
        description: "a repair of an unfinished sign-up, another inside",
        prepare: { service in
            let bob = try await service.signUp(.apple, "bob")
            try await service.beginSignUp(.google, "bob")
            service.clock.advance(by: 3601)
            return Before(bob)
        }, first: repair, second: signUpGoogle
    ) { service, before, outcome in
        #expect(outcome.first == nil && outcome.second == nil, "\(outcome)")
        let owner = try await service.owner(.google, "bob")
        #expect(owner != nil && owner != before.user)
    }
}
