import Accounts
import Foundation
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Sharing
import StorageAccess
import Testing

@testable import UseCases

/// What visitors of shared links see, and when they see nothing.
@Suite struct SharedLinkVisitTests {
    @Test func `a link to an album shows what the album and the library contain now`() async throws {
        let fixture = try await SharingFixture()
        let caller = try await fixture.caller
        let album = try await fixture.album("Rome", [1])
        let link = try await fixture.sharing.create(toAlbum: album, fixture.options(), caller).get()
        let first = try #require(try await fixture.open(link))
        #expect(first.timeline.photos.map(\.md5) == [SharingFixture.md5(1)])
        _ = try await fixture.library.setPhotos([SharingFixture.md5(2)], areIn: true, album, caller: caller)
        let second = try #require(try await fixture.open(link))
        #expect(second.timeline.photos.count == 2 && second.name != first.name)
        _ = try await fixture.library.moveToTrash([SharingFixture.md5(1)], caller: caller)
        #expect(try await fixture.shown(link) == [SharingFixture.md5(2)])
        #expect(try await fixture.library.deleteAlbum(album, caller: caller))
        await fixture.expectClosed(link)
    }

    @Test func `an unchanged album opens with four requests, and an unknown link with two`() async throws {
        let fixture = try await SharingFixture()
        let album = try await fixture.album("Rome", [1])
        let link = try await fixture.sharing.create(toAlbum: album, fixture.options(), fixture.caller).get()
        _ = try await fixture.open(link)
        _ = fixture.service.store.drainRequests()
        _ = try await fixture.open(link)
        let user = fixture.user
        let account = StorageLayout.accountDocument(user)
        let keys = fixture.service.store.drainRequests().map(\.key)
        #expect(
            keys.sorted() == [
                account, StorageLayout.sharedLink(user, id: "\(link.id)"), StorageLayout.catalogPointer(user),
                StorageLayout.albums(user),
            ])
        try await fixture.sharing.delete(link.id, fixture.caller)
        _ = fixture.service.store.drainRequests()
        await fixture.expectClosed(link)
        #expect(fixture.service.store.drainRequests().count == 2)
    }

    @Test func `a photo in the trash is not shown by a link to photos`() async throws {
        let fixture = try await SharingFixture()
        let link = try await fixture.share([1, 2])
        #expect(try await fixture.shown(link)?.count == 2)
        _ = try await fixture.library.moveToTrash([SharingFixture.md5(1)], caller: fixture.caller)
        #expect(try await fixture.shown(link) == [SharingFixture.md5(2)])
    }

    @Test func `a link expires and opens again when its owner extends it`() async throws {
        let fixture = try await SharingFixture()
        let link = try await fixture.share([1], fixture.options(days: 1))
        fixture.service.clock.advance(by: 86_399)
        #expect(try await fixture.shown(link)?.count == 1)
        fixture.service.clock.advance(by: 1)
        await fixture.expectClosed(link)
        let caller = try await fixture.service.caller(
            try await fixture.service.signIn(.apple, "bob", device: 2).session)
        _ = try await fixture.sharing.change(link.id, fixture.options(days: 7), caller).get()
        #expect(try await fixture.shown(link)?.count == 1)
    }

    @Test func `a password opens a link until it changes, and opens no other link`() async throws {
        let fixture = try await SharingFixture()
        let options = fixture.options(password: .set("correct horse"))
        let (link, other) = (try await fixture.share([1], options), try await fixture.share([2], options))
        #expect(try await fixture.shown(link) == nil)
        let token = link.token.description
        #expect(try await fixture.visits.unlock(token, password: "wrong horse") == nil)
        let pass = try #require(try await fixture.visits.unlock(token, password: "correct horse"))
        #expect(try await fixture.shown(link, pass: pass)?.count == 1)
        #expect(try await fixture.shown(other, pass: pass) == nil)
        for wrong in ["", pass + "A", String(pass.dropLast()), "k9.\(pass)"] {
            #expect(try await fixture.shown(link, pass: wrong) == nil, "\(wrong)")
        }
        _ = try await fixture.sharing.change(
            link.id, fixture.options(password: .set("battery staple")), fixture.caller
        ).get()
        #expect(try await fixture.shown(link, pass: pass) == nil)
    }

    @Test func `passwords are tried a few times in ten minutes`() async throws {
        let fixture = try await SharingFixture()
        let link = try await fixture.share([1], fixture.options(password: .set("correct horse")))
        let token = link.token.description
        for _ in 0..<20 { #expect(try await fixture.visits.unlock(token, password: "short") == nil) }
        await #expect(throws: ServiceError.self) {
            _ = try await fixture.visits.unlock(token, password: "correct horse")
        }
        fixture.service.clock.advance(by: 31)
        #expect(try await fixture.visits.unlock(token, password: "correct horse") != nil)
    }

    @Test func `a link of an account that is disabled or being deleted opens nothing`() async throws {
        let fixture = try await SharingFixture()
        let link = try await fixture.share([1])
        let support = fixture.service.services.operators.support
        let reason = try #require(OperatorReason("abuse"))
        try await support.disable(fixture.user, reason: reason)
        await fixture.expectClosed(link)
        try await support.enable(fixture.user, reason: reason)
        #expect(try await fixture.shown(link)?.count == 1)
        _ = try await support.scheduleDeletion(of: fixture.user, reason: reason)
        await fixture.expectClosed(link)
        try await support.cancelDeletion(of: fixture.user, reason: reason)
        #expect(try await fixture.shown(link)?.count == 1)
    }

    @Test func `an operator finds a link by its address, disables and enables it`() async throws {
        let fixture = try await SharingFixture()
        let link = try await fixture.share([1])
        let support = fixture.service.services.operators.sharedLinks
        let reason = try #require(OperatorReason("abuse"))
        for address in ["https://photos.example/s/\(link.token)?from=0", "/s/\(link.token)/photo", "\(link.token)"] {
            let found = try #require(try await support.find(address))
            #expect(found.user == fixture.user && found.link.id == link.id.description, "\(address)")
        }
        #expect(try await support.find("https://photos.example/s/") == nil)
        try await support.disable(link.id, of: fixture.user, reason: reason)
        await fixture.expectClosed(link)
        #expect(try await support.links(of: fixture.user).map(\.disabledReason) == ["abuse"])
        // The owner can change the link, but not enable it.
        _ = try await fixture.sharing.change(link.id, fixture.options(title: "Winter"), fixture.caller).get()
        await fixture.expectClosed(link)
        try await support.enable(link.id, of: fixture.user, reason: reason)
        #expect(try await fixture.shown(link)?.count == 1)
        #expect(try await fixture.acts().contains(.sharedLinkDisabled))
        #expect(try await fixture.acts().contains(.sharedLinkEnabled))
    }

    @Test func `credentials of a link are for reading, and end with the link at the built-in endpoint`() async throws {
        let fixture = try await SharingFixture()
        let link = try await fixture.share([1])
        let grant = StorageGrant(
            user: fixture.user, device: TestService.device(9).id, session: SessionID(uuid: UUID()),
            sharedLink: link.id.description, access: .read, expiresAt: fixture.service.clock.now)
        let session = SealedStorageSession(grant, randomness: .seeded(1))
        let entitlements = fixture.service.services.storageEntitlements
        #expect(try await entitlements.entitlement(of: session)?.access == .read)
        #expect(try #require(try await fixture.open(link)).credentials.access == .read)
        try await fixture.sharing.delete(link.id, fixture.caller)
        #expect(try await entitlements.entitlement(of: session) == nil)
    }
}
