import Foundation
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Sharing
import Testing

@testable import UseCases

/// What a person does with shared links.
@Suite struct SharingServiceTests {
    @Test func `a link shows the shared photos, is listed, and ends with its deletion`() async throws {
        let fixture = try await SharingFixture()
        let caller = try await fixture.caller
        let link = try await fixture.share([1, 2])
        #expect(try await fixture.shown(link) == [SharingFixture.md5(1), SharingFixture.md5(2)])
        #expect(try await fixture.sharing.links(caller).map(\.id) == [link.id])
        try await fixture.sharing.delete(link.id, caller)
        await fixture.expectClosed(link)
        #expect(try await fixture.sharing.links(caller).isEmpty)
        #expect(Array(try await fixture.acts().suffix(2)) == [.sharedLinkCreated, .sharedLinkDeleted])
        await #expect(throws: ServiceError.notFound) { try await fixture.sharing.delete(link.id, caller) }
    }

    @Test func `only photos and albums of the library are shared`() async throws {
        let fixture = try await SharingFixture()
        let caller = try await fixture.caller
        let foreign = try ContentDigest.seeded(7)
        let link = try await fixture.sharing.create(
            to: [SharingFixture.md5(1), foreign], fixture.options(), caller
        ).get()
        #expect(link.document.content == .photos([SharingFixture.md5(1).description]))
        await #expect(throws: ServiceError.self) {
            _ = try await fixture.sharing.create(to: [foreign], fixture.options(), caller)
        }
        let unknown = try #require(AlbumID("0123456789abcdef"))
        await #expect(throws: ServiceError.notFound) {
            _ = try await fixture.sharing.create(toAlbum: unknown, fixture.options(), caller)
        }
    }

    @Test func `links of another account are not found`() async throws {
        let fixture = try await SharingFixture()
        let link = try await fixture.share([1])
        let eve = try await fixture.service.caller(
            try await fixture.service.signUp(.apple, "eve", device: 2).session)
        await #expect(throws: ServiceError.notFound) { _ = try await fixture.sharing.link(link.id, eve) }
        await #expect(throws: ServiceError.notFound) { try await fixture.sharing.delete(link.id, eve) }
        await #expect(throws: ServiceError.notFound) {
            _ = try await fixture.sharing.change(link.id, fixture.options(), eve)
        }
        #expect(try await fixture.shown(link) == [SharingFixture.md5(1)])
    }

    @Test func `invalid options change nothing`() async throws {
        let fixture = try await SharingFixture()
        let caller = try await fixture.caller
        let link = try await fixture.share([1])
        let invalid: [(SharingService.Options, SharingService.InvalidOption)] = [
            (fixture.options(title: " "), .title), (fixture.options(title: String(repeating: "x", count: 257)), .title),
            (fixture.options(days: -1), .expiry), (fixture.options(password: .set("short")), .password),
            (fixture.options(password: .set(String(repeating: "x", count: 129))), .password),
        ]
        for (options, reason) in invalid {
            #expect(try await Self.reason(fixture.sharing.change(link.id, options, caller)) == reason)
            let photos: Set = [SharingFixture.md5(1)]
            #expect(try await Self.reason(fixture.sharing.create(to: photos, options, caller)) == reason)
        }
        #expect(try await fixture.sharing.links(caller).map(\.document) == [link.document])
        #expect(try await fixture.acts().filter { $0 == .sharedLinkCreated }.count == 1)
    }

    private static func reason(_ result: Result<SharedLink, SharingService.InvalidOption>)
        -> SharingService.InvalidOption?
    {
        if case .failure(let reason) = result { reason } else { nil }
    }

    @Test func `changed options are recorded and an unchanged password stays`() async throws {
        let fixture = try await SharingFixture()
        let caller = try await fixture.caller
        let link = try await fixture.share([1], fixture.options(password: .set("correct horse")))
        let changed = try await fixture.sharing.change(link.id, fixture.options(title: "Winter", days: nil), caller)
            .get()
        #expect(changed.document.options.title == "Winter" && changed.document.options.expiresAt == nil)
        #expect(changed.document.options.password == link.document.options.password)
        let open = try await fixture.sharing.change(link.id, fixture.options(password: .remove), caller).get()
        #expect(open.document.options.password == nil)
        #expect(try await fixture.acts().filter { $0 == .sharedLinkChanged }.count == 2)
    }

    @Test func `a password that another page sets concurrently stays`() async throws {
        let fixture = try await SharingFixture()
        let caller = try await fixture.caller
        let link = try await fixture.share([1])
        let protected = fixture.options(password: .set("correct horse"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // Of many concurrent changes some are refused.
                while (try? await fixture.sharing.change(link.id, protected, caller)) == nil {}
            }
            for page in 0..<3 {
                group.addTask {
                    for save in 0..<20 {
                        let options = fixture.options(title: "\(page)-\(save)")
                        _ = try? await fixture.sharing.change(link.id, options, caller)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await fixture.sharing.link(link.id, caller).document.options.password != nil)
    }

    @Test func `sharing that is off has no links, and opens none`() async throws {
        var options = TestService.Options()
        options.allowsSharing = false
        let fixture = try await SharingFixture(options)
        let caller = try await fixture.caller
        await #expect(throws: ServiceError.sharingDisabled) { _ = try await fixture.share([1]) }
        await #expect(throws: ServiceError.sharingDisabled) { _ = try await fixture.sharing.links(caller) }
        let stored = try await fixture.sharing.links.create(
            fixture.user, .photos(["\(SharingFixture.md5(1))"]),
            SharedLinkOptions(
                title: "x", expiresAt: nil, password: nil, allowsDownloads: true, includesLocation: true))
        await fixture.expectClosed(stored)
    }
}
