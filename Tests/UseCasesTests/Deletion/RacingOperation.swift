import Accounts
import DevelopmentIdentityProvider
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import UseCases

/// Another operation of the person, a provider or Apple while the account is deleted.
enum RacingOperation: String, CaseIterable, Sendable {
    case refresh, signIn, signInAndUndo, undoCode, link, syncDevice, removeDevice, credentials, upload, export, profile
    case bindPurchase, appleDeletion, appleConsent, renewal, newSubscription
    /// A renewal of another person's subscription, which names the account.
    case otherRenewal

    /// Whether it comes from a provider or Apple, which get no error for an unknown account.
    var isNotification: Bool {
        switch self {
        case .appleDeletion, .appleConsent, .renewal, .newSubscription, .otherRenewal: true
        default: false
        }
    }

    /// What the person and Apple hold before the race.
    struct Held: Sendable {
        let session: Session
        /// A request that was authenticated before the race.
        let caller: Caller
        let undoCode: String
        let renewal: [UInt8]
        let newSubscription: [UInt8]
        let otherRenewal: [UInt8]
        let purchase: String
    }

    /// Bytes that arrive as late as credentials or a link permit.
    struct LateUpload: Sendable {
        let key: ObjectKey
        let time: Date
    }

    /// Performs the operation.
    /// - Returns: The upload that it permits.
    func perform(_ service: TestService, _ held: Held, as caller: Caller) async throws -> LateUpload? {
        let services = service.services
        switch self {
        case .refresh: _ = try await services.sessions.refresh(.init(refreshToken: held.session.refreshToken))
        case .signIn: try await Self.signIn(service)
        case .signInAndUndo:
            let back = try await service.signIn(.google, "canary-google", device: 3)
            _ = try await services.deletion.cancel(try await service.caller(back.session))
        case .undoCode: try await services.deletion.cancel(undoCode: held.undoCode)
        case .link:
            let proof = try service.idTokenRequest(.facebook, "canary-facebook", .link, device: held.session.deviceID)
            _ = try await services.linking.link(
                LinkRequest(provider: .facebook, idToken: proof.idToken), caller: caller)
        case .syncDevice: try await services.devices.recordSync(held.session.deviceID, caller: caller)
        case .removeDevice: try await services.devices.removeDevice(TestService.device(1).id, caller: caller)
        case .credentials:
            let issued = try await services.storageAccess.issueCredentials(caller)
            guard issued.access == .readWrite else { return nil }
            return Self.upload("c", of: caller.user, issued.expiration, UploadRequest.maximumPhotoSize)
        case .upload:
            let photo = UploadRequest(
                md5: String(repeating: "d", count: 32), size: 1000, kind: .photo, contentType: "image/jpeg")
            let reserved = try await services.uploads.reserveUpload(photo, caller: caller)
            return Self.upload("d", of: caller.user, reserved.expiresAt, photo.size)
        case .export: _ = try await services.export.create(caller)
        case .profile:
            _ = try await services.account.replaceProfile(
                caller.user, with: Profile(displayName: "canary"), if: .any, caller: caller)
        case .bindPurchase:
            _ = try await services.subscriptions.bindPurchase(.init(signedTransaction: held.purchase), caller: caller)
        case .appleDeletion, .appleConsent:
            let event = ProviderEvent(
                self == .appleDeletion ? .accountDeleted : .consentRevoked, subject: DeletionFixture.subject,
                at: service.clock.now)
            try await services.providerEvents.apply(event, of: .apple)
        case .renewal: try await services.subscriptions.handleAppStoreNotification(held.renewal)
        case .newSubscription: try await services.subscriptions.handleAppStoreNotification(held.newSubscription)
        case .otherRenewal: try await services.subscriptions.handleAppStoreNotification(held.otherRenewal)
        }
        return nil
    }

    /// Signs in on a new device with an authorization code, so that a provider token is stored.
    private static func signIn(_ service: TestService) async throws {
        let proof = try service.apple.issueToken(
            DevelopmentTokenRequest(subject: DeletionFixture.subject, email: DeletionFixture.email))
        _ = try await service.services.signIn.signIn(
            SignInRequest(
                provider: .apple, idToken: proof.idToken, authorizationCode: proof.authorizationCode,
                device: TestService.device(3)))
    }

    private static func upload(_ digit: Character, of user: UserID, _ end: Date, _ size: Int64) -> LateUpload {
        LateUpload(
            key: ObjectKey(known: StorageLayout.photo(user, md5: String(repeating: digit, count: 32))),
            time: end.addingTimeInterval(UploadRequest.maximumDuration(of: size)))
    }
}
