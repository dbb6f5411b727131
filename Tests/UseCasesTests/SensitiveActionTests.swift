import Foundation
import NIOCore
import ObjectStorage
import PhotoCatalog
import PhotolalaAPI
import PhotolalaTesting
import Subscriptions
import Testing
import UseCases

/// The acts that a stolen session must not perform without reauthentication.
@Suite struct SensitiveActionTests {
    /// Bob with two providers and two devices.
    private struct Fixture {
        let service: TestService
        let session: Session
        let google: LinkID

        private let kim: UserID
        private let subscription: SubscriptionID

        init() async throws {
            let clock = TestClock()
            let appStore = try TestAppStore(clock: clock)
            service = try await TestService.make(try appStore.options(), clock: clock)
            let kim = try await service.caller(try await service.signUp(.google, "kim", device: 3).session)
            let purchase = TestPurchase(TestAppStore.basic, id: "1", at: clock.now)
            _ = try await service.services.subscriptions.bindPurchase(
                AppStorePurchase(signedTransaction: try appStore.transaction(purchase)), caller: kim)
            self.kim = kim.user
            subscription = try #require(SubscriptionID(.sandbox, "1"))
            session = try await service.bobWithTwo().session
            google = try await service.linkID(.google, session)
            _ = try await service.signIn(.google, "bob", device: 2)
            try await fillTrash()
        }

        func perform(_ act: SensitiveAction, _ session: Session) async throws {
            let caller = try await service.caller(session)
            switch act {
            case .link: _ = try await service.link(.google, "another", in: session)
            case .unlink: _ = try await service.services.linking.unlink(UnlinkRequest(linkID: google), caller: caller)
            case .removeDevice:
                try await service.services.devices.removeDevice(TestService.device(2).id, caller: caller)
            case .signOutEverywhere: try await service.services.sessions.signOutEverywhere(caller)
            case .moveSubscription:
                let subscriptions = service.components.subscriptions
                let ticket = try subscriptions.moveTickets.seal(
                    try await subscriptions.records.record(subscription), from: kim)
                _ = try await service.services.subscriptions.moveSubscription(
                    MoveRequest(moveTicket: ticket.sealed), caller: caller)
            case .deleteAccount:
                _ = try await service.services.deletion.schedule(
                    DeletionRequest(confirmation: DeletionRequest.confirmationText), caller: caller)
            case .exportAccount:
                _ = try await service.services.export.create(caller)
                _ = try await service.services.export.files(caller)
            case .changeMail: try await service.services.account.setMailLanguage("ko", caller)
            case .purgeTrash:
                let offer = try await service.services.library.preparePurge(.all, caller: caller)
                #expect(offer.contents.count == 1)
                _ = try await service.services.library.purgeTrash(.all, confirmed: offer.contentsID, caller: caller)
            case .authorizeApp:
                let issued = try service.services.deviceAuthorization.createDeviceCode {
                    $0 == "client_id" ? "photolala" : nil
                }
                let waiting = try #require(
                    try await service.services.deviceAuthorization.pendingDevice(issued.userCode, caller: caller))
                try await service.services.deviceAuthorization.decide(true, on: waiting, caller: caller)
                _ = try await service.services.deviceAuthorization.exchangeDeviceCode(
                    issued.deviceCode, client: "photolala", nil)
            }
        }

        /// Returns every stored object except markers of spent tokens.
        func content() async throws -> [String: String] {
            var content: [String: String] = [:]
            for prefix in ["accounts/", "catalogs/", "photos/"] {
                for object in try await service.store.list(prefix: prefix, after: nil, limit: 1000).objects {
                    content[object.key.description] = try await service.store.get(object.key).map {
                        String(buffer: $0.bytes)
                    }
                }
            }
            return content
        }

        /// Puts one photo into Bob's trash.
        private func fillTrash() async throws {
            let caller = try await service.caller(session)
            let photo = ByteBuffer(
                bytes: [0xff, 0xd8, 0xff, 0xe0, 0, 16] + Array("JFIF".utf8) + Array(repeating: 7, count: 90))
            let md5 = ContentDigest(of: photo)
            let key = ObjectKey(known: StorageLayout.photo(caller.user, md5: md5.description))
            _ = try await service.store.put(key, photo, if: .always)
            let arrival = UploadedPhoto(
                path: try #require(LibraryPath("a.jpg")), md5: md5, modified: Timestamp(seconds: 1, nanoseconds: 0))
            #expect(try await service.services.libraryUploads.finishUploads([arrival], caller: caller) == [.added])
            _ = try await service.services.library.moveToTrash([md5], caller: caller)
        }
    }

    @Test(
        "a sensitive act requires authentication within ten minutes and changes nothing without it",
        arguments: SensitiveAction.allCases)
    func requiresRecentAuthentication(act: SensitiveAction) async throws {
        let fixture = try await Fixture()
        fixture.service.clock.advance(by: 601)
        let before = try await fixture.content()
        await #expect(throws: ServiceError.reauthenticationRequired) { try await fixture.perform(act, fixture.session) }
        #expect(try await fixture.content() == before)
        // A refresh is not an authentication.
        let later = try await fixture.service.services.sessions.refresh(
            RefreshRequest(refreshToken: fixture.session.refreshToken)
        ).session
        await #expect(throws: ServiceError.reauthenticationRequired) { try await fixture.perform(act, later) }
        let proven = try await fixture.service.reauthenticate(.apple, "bob", in: later)
        try await fixture.perform(act, proven)
        #expect(try await fixture.content() != before)
    }

    @Test("a sensitive act succeeds up to the tenth minute", arguments: SensitiveAction.allCases)
    func lastMoment(act: SensitiveAction) async throws {
        let fixture = try await Fixture()
        fixture.service.clock.advance(by: 600)
        try await fixture.perform(act, fixture.session)
    }

    @Test(
        "other acts need no recent authentication: sign-out, credential renewal and profile changes")
    func others() async throws {
        let fixture = try await Fixture()
        fixture.service.clock.advance(by: 86_400)
        let services = fixture.service.services
        let later = try await services.sessions.refresh(RefreshRequest(refreshToken: fixture.session.refreshToken))
            .session
        let caller = try await fixture.service.caller(later)
        _ = try await services.storageAccess.issueCredentials(caller)
        _ = try await services.account.replaceProfile(caller.user, with: Profile(), if: .any, caller: caller)
        try await services.sessions.signOut(accessToken: later.accessToken)
    }
}
