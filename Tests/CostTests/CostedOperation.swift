import Crypto
import DevelopmentIdentityProvider
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// An operation of the service, named as in `docs/costs.md`.
struct CostedOperation: Sendable, CustomStringConvertible {
    let description: String
    /// Whether the operation runs with events enabled.
    let tellsEvents: Bool
    /// Whether the account was marked as changed by this process before; a new process writes the mark again.
    let isMarked: Bool
    /// Prepares the state and returns the operation, which corresponds to one HTTP call.
    let prepare: @Sendable (TestService) async throws -> @Sendable (TestService) async throws -> Void

    init(
        _ description: String, tellsEvents: Bool = false, isMarked: Bool = false,
        _ prepare: @escaping @Sendable (TestService) async throws -> @Sendable (TestService) async throws -> Void
    ) {
        self.description = description
        self.tellsEvents = tellsEvents
        self.isMarked = isMarked
        self.prepare = prepare
    }

    /// Returns a call with the access token of Bob, who has two providers and two devices.
    private static func call(
        _ description: String, isMarked: Bool = false,
        _ act: @escaping @Sendable (TestService, Caller) async throws -> Void
    ) -> CostedOperation {
        CostedOperation(description, isMarked: isMarked) { service in
            let bob = try await bob(service)
            if isMarked { try await mark(bob.session, service) }
            return { try await act($0, try await $0.caller(bob.session)) }
        }
    }

    private static func upload(_ digit: String) -> UploadRequest {
        UploadRequest(md5: String(repeating: digit, count: 32), size: 1, kind: .photo)
    }

    private static func signInWithCode(_ service: TestService) async throws -> SignedIn {
        let device = TestService.device(1)
        let challenge = try service.services.identities.makeChallenge(
            ChallengeRequest(purpose: .signin, deviceID: device.id), caller: nil
        ).challenge
        let proof = try service.apple.issueToken(DevelopmentTokenRequest(subject: "bob", nonce: challenge))
        return try await service.services.signIn.signIn(
            SignInRequest(
                provider: .apple, idToken: proof.idToken, challenge: challenge,
                authorizationCode: proof.authorizationCode, device: device
            )
        )
    }

    /// Issues storage credentials, as before most calls of a device.
    private static func mark(_ session: Session, _ service: TestService) async throws {
        _ = try await service.services.storageAccess.issueCredentials(try await service.caller(session))
    }

    private static func bob(_ service: TestService) async throws -> SignedIn {
        let bob = try await service.signUp(.apple, "bob", name: "Bob")
        _ = try await service.link(.google, "bob", in: bob.session)
        _ = try await service.signIn(.google, "bob", device: 2)
        return bob
    }

    /// Returns a call of Bob, who has 100 devices that were listed before.
    private static func callAmongMany(
        _ description: String, _ act: @escaping @Sendable (TestService, Caller) async throws -> Void
    ) -> CostedOperation {
        CostedOperation(description) { service in
            let bob = try await bob(service)
            for number in 3...100 { _ = try await service.signIn(.apple, "bob", device: number) }
            _ = try await service.services.devices.list(of: try await service.caller(bob.session))
            return { try await act($0, try await $0.caller(bob.session)) }
        }
    }

    private static func bobBound(_ service: TestService, to key: P256.Signing.PrivateKey) async throws -> Session {
        _ = try await bob(service)
        return try await service.signIn(.apple, "bob", key: key).session
    }

    static let all: [CostedOperation] = signingIn + sessions + account + events

    private static let events: [CostedOperation] = [
        CostedOperation("sign-up, with events", tellsEvents: true) { _ in
            { _ = try await $0.signUp(.apple, "bob", name: "Bob") }
        },
        CostedOperation("sign-in on a new device, with events", tellsEvents: true) { service in
            _ = try await bob(service)
            try await sendAll(service)
            return { _ = try await $0.signIn(.apple, "bob", device: 3) }
        },
        CostedOperation("an event sent by another instance", tellsEvents: true) { service in
            _ = try await service.signUp(.apple, "bob", name: "Bob")
            return { try await $0.services.eventDelivery.deliverEvents() }
        },
        CostedOperation("a device's event sent by another instance", tellsEvents: true) { service in
            _ = try await service.signUp(.apple, "bob", name: "Bob")
            try await sendAll(service)
            _ = try await service.signIn(.apple, "bob", device: 2)
            return { try await $0.services.eventDelivery.deliverEvents() }
        },
    ]

    /// Sends all pending events.
    private static func sendAll(_ service: TestService) async throws {
        service.clock.advance(by: 61)
        try await service.services.eventDelivery.deliverEvents()
    }

    private static let signingIn: [CostedOperation] = [
        CostedOperation("sign-up") { _ in { _ = try await $0.signUp(.apple, "bob", name: "Bob") } },
        CostedOperation("sign-up that leaves an e-mail hint") { _ in
            { _ = try await $0.signUp(.google, "bob", name: "Bob", email: "bob@gmail.com") }
        },
        CostedOperation("sign-in") { service in
            _ = try await bob(service)
            return { _ = try await $0.signIn(.apple, "bob") }
        },
        CostedOperation("sign-in with an authorization code") { service in
            _ = try await bob(service)
            return { _ = try await signInWithCode($0) }
        },
        CostedOperation("exchange of a code, after the answer") { service in
            _ = try await bob(service)
            _ = try await signInWithCode(service)
            let key = try #require(try await service.components.providerCalls.pendingKeys().first)
            service.clock.advance(by: 60)
            let call = try #require(try await service.components.providerCalls.acquire(key))
            // The code is known only to the provider that issued it, in this process.
            return { _ in await service.services.providerCalls.makeCall(call) }
        },
        CostedOperation("sign-in on a new device") { service in
            _ = try await bob(service)
            return { _ = try await $0.signIn(.apple, "bob", device: 3) }
        },
        CostedOperation("sign-in without an account") { _ in
            { service in
                do {
                    _ = try await service.signIn(.apple, "unknown")
                } catch ServiceError.noAccountFound {}
            }
        },
        CostedOperation("continue, with an account") { service in
            _ = try await bob(service)
            return { service in
                let device = TestService.device(1)
                let proof = try service.idTokenRequest(.apple, "bob", .continue, device: device.id)
                _ = try await service.services.signUp.continueSignIn(
                    SignUpRequest(provider: .apple, idToken: proof.idToken, challenge: proof.challenge, device: device))
            }
        },
    ]

    private static let sessions: [CostedOperation] = [
        CostedOperation("refresh") { service in
            let token = try await bob(service).session.refreshToken
            return { _ = try await $0.services.sessions.refresh(RefreshRequest(refreshToken: token)) }
        },
        CostedOperation("refresh, bound device") { service in
            let key = P256.Signing.PrivateKey()
            let session = try await bobBound(service, to: key)
            return { _ = try await $0.refresh(session, key) }
        },
        CostedOperation("reauthenticate") { service in
            let session = try await bob(service).session
            return { _ = try await $0.reauthenticate(.apple, "bob", in: session) }
        },
        CostedOperation("sign-out") { service in
            let token = try await bob(service).session.accessToken
            return { try await $0.services.sessions.signOut(accessToken: token) }
        },
        call("sign-out everywhere") { try await $0.services.sessions.signOutEverywhere($1) },
        call("list of 2 devices") { _ = try await $0.services.devices.list(of: $1) },
        callAmongMany("list of 100 devices") { _ = try await $0.services.devices.list(of: $1) },
        call("removal of a device") {
            try await $0.services.devices.removeDevice(TestService.device(2).id, caller: $1)
        },
        call("sync recorded") { try await $0.services.devices.recordSync(TestService.device(1).id, caller: $1) },
        CostedOperation("an upload reserved", isMarked: true) { service in
            let bob = try await bob(service)
            let caller = try await service.caller(bob.session)
            _ = try await service.services.uploads.reserveUpload(upload("a"), caller: caller)
            return { service in
                _ = try await service.services.uploads.reserveUpload(
                    upload("b"), caller: try await service.caller(bob.session))
            }
        },
        call("the first upload reserved", isMarked: true) { _ = try await $0.services.uploads.reserveUpload(upload("a"), caller: $1) },
        call("storage credentials", isMarked: true) { _ = try await $0.services.storageAccess.issueCredentials($1) },
        call("the first storage credentials") { _ = try await $0.services.storageAccess.issueCredentials($1) },
        CostedOperation("storage credentials, bound device", isMarked: true) { service in
            let key = P256.Signing.PrivateKey()
            let session = try await bobBound(service, to: key)
            try await mark(try await service.signIn(.google, "bob", device: 2).session, service)
            return { service in
                let caller = try await service.caller(session, key, "POST", Route.credentials.path)
                _ = try await service.services.storageAccess.issueCredentials(caller)
            }
        },
    ]

    private static let account: [CostedOperation] = [
        call("own account, 2 devices") { _ = try await $0.services.account.user($1.user, caller: $1) },
        callAmongMany("own account, 100 devices") { _ = try await $0.services.account.user($1.user, caller: $1) },
        call("linked providers, 2 devices") { _ = try await $0.services.account.linkedAccounts($1) },
        CostedOperation("link, 1 device") { service in
            let session = try await service.signUp(.apple, "bob").session
            return { _ = try await $0.link(.google, "bob", in: session) }
        },
        CostedOperation("unlink, 2 devices") { service in
            let session = try await bob(service).session
            let link = try await service.linkID(.google, session)
            return { service in
                _ = try await service.services.linking.unlink(
                    UnlinkRequest(linkID: link), caller: try await service.caller(session))
            }
        },
        call("profile") { _ = try await $0.services.account.profile($1.user, caller: $1) },
        call("profile, replaced", isMarked: true) {
            _ = try await $0.services.account.replaceProfile(
                $1.user, with: Profile(displayName: "B"), if: .any, caller: $1)
        },
        call("storage used") { _ = try await $0.services.usage.lastCount(of: $1.user, caller: $1) },
    ]
}
