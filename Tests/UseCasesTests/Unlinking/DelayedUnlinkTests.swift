import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// Which unlinks are delayed, their state until then, and their effect.
@Suite struct DelayedUnlinkTests {
    @Test("an unlink of the identity that created the account is shown as pending in every session, with its date")
    func pendingIsShown() async throws {
        let fixture = try await DelayedUnlink()
        let tablet = try await fixture.service.signIn(.google, "bob", device: 2).session
        let apple = try #require(try await fixture.link(.apple, fixture.phone))
        let response = try await fixture.unlink(apple.linkID, in: fixture.phone)
        let date = fixture.service.clock.now.addingTimeInterval(DelayedUnlink.day)
        for links in [response, try await fixture.links(fixture.phone), try await fixture.links(tablet)] {
            let link = try #require(links.first { $0.provider == .apple })
            #expect(link.state == .removing && link.unlinksAt == date && link.isPrimary)
            #expect(links.filter { $0.unlinksAt != nil }.count == 1)
        }
        let caller = try await fixture.service.caller(tablet)
        let user = try await fixture.service.services.account.user(fixture.user, caller: caller)
        #expect(user.linkedProviders.first?.unlinksAt == date)
    }

    @Test("a due unlink frees the identity, ends its sessions and makes the oldest remaining one primary")
    func takesEffect() async throws {
        let fixture = try await DelayedUnlink()
        let tablet = try await fixture.service.signIn(.google, "bob", device: 2).session
        try await fixture.service.unlink(.apple, in: fixture.phone)
        fixture.service.clock.advance(by: DelayedUnlink.day - 1)
        #expect(try await fixture.isPending(.apple, try await fixture.refreshed(tablet)))
        _ = try await fixture.refreshed(fixture.phone)
        fixture.service.clock.advance(by: 1)
        await #expect(throws: ServiceError.sessionEnded) { _ = try await fixture.refreshed(fixture.phone) }
        let links = try await fixture.links(try await fixture.refreshed(tablet))
        #expect(links.map(\.provider) == [.google, .facebook] && links.map(\.isPrimary) == [true, false])
        let other = try await fixture.service.signUp(.apple, "bob", device: 3)
        #expect(other.user.serviceUserID != fixture.user)
        #expect(try await fixture.auditEvents().filter { $0 == .providerUnlinked }.count == 1)
    }

    @Test(
        "a due unlink is carried out by a sign-in, a call, a refresh, the daily job or a repair", arguments: 0..<5)
    func rolledForward(by reader: Int) async throws {
        let fixture = try await DelayedUnlink()
        let service = fixture.service
        let tablet = try await service.signIn(.google, "bob", device: 2).session
        try await service.unlink(.apple, in: fixture.phone)
        service.clock.advance(by: DelayedUnlink.day - 60)
        let current = try await fixture.refreshed(tablet)
        service.clock.advance(by: 60)
        switch reader {
        case 0: _ = try await service.signIn(.facebook, "bob", device: 3)
        case 1: _ = try await service.caller(current)
        case 2: _ = try await fixture.refreshed(current)
        case 3: try await service.services.usageCount.countUsage()
        default: try await service.repair()
        }
        let account = try #require(try await service.components.accounts.account(fixture.user)).value
        #expect(!account.links.contains { $0.provider == .apple && $0.state != .removing })
        #expect(account.primaryLinkID == account.links.first { $0.provider == .google }?.id)
        #expect(try await service.owner(.apple, "bob") == nil)
    }

    @Test("signing in with the identity undoes its pending unlink")
    func signInUndoes() async throws {
        let fixture = try await DelayedUnlink()
        try await fixture.service.unlink(.apple, in: fixture.phone)
        fixture.service.clock.advance(by: 3600)
        let again = try await fixture.service.signIn(.apple, "bob", device: 5)
        let link = try #require(again.user.linkedProviders.first { $0.provider == .apple })
        #expect(link.state == .active && link.unlinksAt == nil)
        #expect(again.undoneUnlinks == [link.linkID])
        #expect(try await fixture.service.signIn(.apple, "bob", device: 6).undoneUnlinks == nil)
        fixture.service.clock.advance(by: DelayedUnlink.day)
        #expect(try await fixture.service.owner(.apple, "bob") == fixture.user)
        let events = try await fixture.auditEvents()
        #expect(events.filter { $0 == .providerUnlinkRequested || $0 == .providerUnlinkUndone }.count == 2)
        #expect(!events.contains(.providerUnlinked))
    }

    @Test("any session undoes an unlink without recent authentication, and a second undo changes nothing")
    func anySessionUndoes() async throws {
        let fixture = try await DelayedUnlink()
        let tablet = try await fixture.service.signIn(.facebook, "bob", device: 2).session
        try await fixture.service.unlink(.apple, in: fixture.phone)
        fixture.service.clock.advance(by: 3000)
        await #expect(throws: ServiceError.reauthenticationRequired) {
            try await fixture.service.unlink(.google, in: tablet)
        }
        for _ in 0..<2 { try await fixture.service.undoUnlink(.apple, in: tablet) }
        #expect(try await !fixture.isPending(.apple, tablet))
        #expect(try await fixture.auditEvents().count { $0 == .providerUnlinkUndone } == 1)
    }

    @Test("linking the identity again undoes its unlink; reauthentication does not")
    func linkingUndoes() async throws {
        let fixture = try await DelayedUnlink()
        try await fixture.service.unlink(.apple, in: fixture.phone)
        let proven = try await fixture.service.reauthenticate(.apple, "bob", in: fixture.phone)
        #expect(try await fixture.isPending(.apple, proven))
        let linked = try await fixture.service.link(.apple, "bob", in: proven).linkedProviders
        #expect(linked.allSatisfy { $0.state == .active && $0.unlinksAt == nil })
    }

    @Test("an unlink that has taken effect, or never existed, cannot be undone")
    func tooLate() async throws {
        let fixture = try await DelayedUnlink()
        let tablet = try await fixture.service.signIn(.google, "bob", device: 2).session
        let apple = try #require(try await fixture.link(.apple, tablet)).linkID
        try await fixture.service.unlink(.apple, in: fixture.phone)
        fixture.service.clock.advance(by: DelayedUnlink.day)
        let caller = try await fixture.service.caller(try await fixture.refreshed(tablet))
        for id in [apple, LinkID(uuid: UUID())] {
            await #expect(throws: ServiceError.notFound) {
                _ = try await fixture.service.services.linking.undoUnlink(id, caller: caller)
            }
        }
    }

    @Test("an identity other than the first is unlinked immediately if no other identity is new")
    func otherIdentityAtOnce() async throws {
        let fixture = try await DelayedUnlink()
        try await fixture.service.unlink(.google, in: fixture.phone)
        #expect(try await fixture.links(fixture.phone).map(\.provider) == [.apple, .facebook])
        // Linked on this device, and unlinked on it.
        _ = try await fixture.service.link(.google, "new", in: fixture.phone)
        try await fixture.service.unlink(.google, in: fixture.phone)
        #expect(try await fixture.links(fixture.phone).map(\.provider) == [.apple, .facebook])
    }

    @Test("only a session of an older identity unlinks immediately; a session of the same or a newer one waits")
    func ownIdentityWaits() async throws {
        let fixture = try await DelayedUnlink()
        for (provider, device) in [(ProviderName.google, 2), (.facebook, 3)] {
            let session = try await fixture.service.signIn(provider, "bob", device: device).session
            let response = try await fixture.unlink(
                try #require(try await fixture.link(.google, session)).linkID, in: session)
            #expect(response.map(\.state) == [.active, .removing, .active])
            // A sign-in with the identity keeps it.
            _ = try await fixture.service.signIn(.google, "bob", device: 4)
            #expect(try await !fixture.isPending(.google, session))
        }
        let google = try await fixture.service.signIn(.google, "bob", device: 2).session
        try await fixture.service.unlink(.facebook, in: google)
        #expect(try await fixture.links(google).map(\.provider) == [.apple, .google])
    }

    @Test(
        "an identity linked on another device within the delay makes every unlink wait, except on that device")
    func newLinkElsewhere() async throws {
        let fixture = try await DelayedUnlink()
        let tablet = try await fixture.service.signIn(.apple, "bob", device: 2).session
        _ = try await fixture.service.link(.google, "new", in: tablet)
        let new = try await fixture.newest(fixture.phone)
        for id in [new.linkID, try #require(try await fixture.link(.facebook, fixture.phone)).linkID] {
            let response = try await fixture.unlink(id, in: fixture.phone)
            #expect(response.first { $0.linkID == id }?.state == .removing)
            let caller = try await fixture.service.caller(tablet)
            _ = try await fixture.service.services.linking.undoUnlink(id, caller: caller)
        }
        // The device that linked it unlinks it immediately.
        #expect(try await !fixture.unlink(new.linkID, in: tablet).contains { $0.linkID == new.linkID })
        _ = try await fixture.service.link(.google, "new", in: tablet)
        fixture.service.clock.advance(by: DelayedUnlink.day)
        let phone = try await fixture.service.signIn(.apple, "bob").session
        try await fixture.service.unlink(.facebook, in: phone)
        #expect(try await fixture.links(phone).map(\.provider) == [.apple, .google, .google])
    }

    @Test("without the identity that created the account, the unlink of the oldest one waits")
    func oldestWaits() async throws {
        let fixture = try await DelayedUnlink()
        try await fixture.service.unlink(.apple, in: fixture.phone)
        fixture.service.clock.advance(by: DelayedUnlink.day)
        let session = try await fixture.service.signIn(.facebook, "bob").session
        #expect(
            try await fixture.unlink(try #require(try await fixture.link(.google, session)).linkID, in: session)
                .map(\.state) == [.removing, .active])
    }

    @Test("a pending unlink is dropped if all other identities were revoked since")
    func lastOneStays() async throws {
        let fixture = try await DelayedUnlink()
        try await fixture.service.unlink(.apple, in: fixture.phone)
        for (provider, issuer) in [(ProviderName.google, fixture.service.google), (.facebook, fixture.service.facebook)] {
            let event = ProviderEvent(.consentRevoked, subject: "bob", at: fixture.service.clock.now)
            try await fixture.service.services.providerEvents.apply(event, of: provider)
            #expect(issuer.name == provider)
        }
        fixture.service.clock.advance(by: DelayedUnlink.day)
        let phone = try await fixture.refreshed(fixture.phone)
        let apple = try #require(try await fixture.link(.apple, phone))
        #expect(apple.state == .active && apple.unlinksAt == nil)
        #expect(try await fixture.service.owner(.apple, "bob") == fixture.user)
        #expect(try await fixture.auditEvents().contains(.providerUnlinkUndone))
    }

    @Test("a service without a delay unlinks immediately")
    func noDelay() async throws {
        let service = try await TestService.make()
        let bob = try await service.bobWithTwo()
        try await service.unlink(.apple, in: bob.session)
        #expect(try await service.owner(.apple, "bob") == nil)
    }

    @Test("an account document without pending unlinks is read, and its first identity's unlink waits")
    func earlierDocument() async throws {
        let fixture = try await DelayedUnlink()
        let key = ObjectKey(known: StorageLayout.accountDocument(fixture.user))
        let stored = try #require(try await fixture.service.store.get(key))
        var json = try #require(
            try JSONSerialization.jsonObject(with: Data(stored.bytes.readableBytesView)) as? [String: Any])
        let links = try #require(json["links"] as? [[String: Any]])
        #expect(links.allSatisfy { $0["pendingUnlink"] == nil && $0["unlinkUndoneAt"] == nil && $0["device"] != nil })
        json["links"] = links.map { link in link.filter { $0.key != "device" } }
        let bytes = ByteBuffer(bytes: try JSONSerialization.data(withJSONObject: json))
        _ = try await fixture.service.store.put(key, bytes, if: .always)
        try await fixture.service.unlink(.google, in: fixture.phone)
        try await fixture.service.unlink(.apple, in: fixture.phone)
        #expect(try await fixture.links(fixture.phone).map(\.state) == [.removing, .active])
    }
}
