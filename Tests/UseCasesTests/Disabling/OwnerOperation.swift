import Crypto
import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import UseCases

/// An operation of a person while an operator disables the account.
enum OwnerOperation: String, CaseIterable, Sendable {
    case signIn, continueSignIn, browserSignIn, refresh, boundRefresh, reauthenticate, appCode, deviceCode
    case credentials, link
    /// A sign-in that undoes the unlinking of its identity, so that it swaps the account first.
    case undoingSignIn
    /// A sign-in on a device whose record is full, so that its pending audit events are flushed into the account first.
    case flushingSignIn

    /// What the person has before.
    struct Held: Sendable {
        let session: Session
        let bound: Session
        let key: P256.Signing.PrivateKey
        let caller: Caller
        let appCode: String
        let deviceCode: String
    }

    /// What an operation gave the person.
    struct Issued: Sendable {
        var session: (Session, P256.Signing.PrivateKey?)?
        var cookie: String?
        var credentials: StorageCredentials?
        var isLinked = false
    }

    /// How many requests it makes to the store at least.
    var leastRequests: Int {
        switch self {
        case .credentials, .boundRefresh: 2
        default: 3
        }
    }

    private static let verifier = String(repeating: "v", count: 43)
    private static let redirectURI = "http://127.0.0.1:4711/callback"

    /// Creates Bob with Apple and Google, and what the operations need.
    func prepare(_ service: TestService) async throws -> Held {
        let key = P256.Signing.PrivateKey()
        let bob = try await service.signUp(.apple, "dev-bob").session
        _ = try await service.link(.google, "dev-bob", in: bob)
        let bound = try await service.signIn(.apple, "dev-bob", device: 2, key: key).session
        let browser = try await BrowserSignInFlow(service).open(.apple, .signin, as: "bob").caller
        let app = [
            "response_type": "code", "client_id": "photolala", "redirect_uri": Self.redirectURI, "state": "s",
            "code_challenge": Base64URL.encode(Data(SHA256.hash(data: Data(Self.verifier.utf8)))),
            "code_challenge_method": "S256", "device_id": TestService.device(6).id.description, "device_name": "Laptop",
            "device_platform": "linux",
        ]
        let services = service.services
        let appCode = try services.appAuthorization.approve(
            try services.appRequests.parse { app[$0] }, caller: browser)
        let issued = try services.deviceAuthorization.createDeviceCode {
            ["client_id": "photolala", "device_id": TestService.device(7).id.description][$0]
        }
        if let waiting = try await services.deviceAuthorization.pendingDevice(issued.userCode, caller: browser) {
            try await services.deviceAuthorization.decide(true, on: waiting, caller: browser)
        }
        switch self {
        case .undoingSignIn: try await service.unlink(.apple, in: bob)
        case .flushingSignIn: for _ in 0..<18 { _ = try await service.signIn(.apple, "dev-bob", device: 3) }
        default: break
        }
        return Held(
            session: bob, bound: bound, key: key, caller: try await service.caller(bob), appCode: appCode,
            deviceCode: issued.deviceCode)
    }

    /// Performs the operation, as a request that was authenticated before where it needs a session.
    func perform(_ service: TestService, _ held: Held) async throws -> Issued {
        let services = service.services
        switch self {
        case .signIn, .undoingSignIn, .flushingSignIn:
            return Issued(session: (try await service.signIn(.apple, "dev-bob", device: 3).session, nil))
        case .continueSignIn:
            let request = SignUpRequest(
                provider: .google, idToken: try service.token(.google, "dev-bob"), device: TestService.device(3))
            return Issued(session: (try await services.signUp.continueSignIn(request).session, nil))
        case .browserSignIn:
            return Issued(cookie: try await BrowserSignInFlow(service).signIn(.apple, as: "bob"))
        case .refresh:
            let request = RefreshRequest(refreshToken: held.session.refreshToken)
            return Issued(session: (try await services.sessions.refresh(request).session, nil))
        case .boundRefresh:
            return Issued(session: (try await service.refresh(held.bound, held.key), held.key))
        case .reauthenticate:
            let answer = try await services.reauthentication.reauthenticate(
                ReauthenticationRequest(provider: .apple, idToken: try service.token(.apple, "dev-bob")),
                caller: held.caller)
            return Issued(session: (held.session.renewed(by: answer.session), nil))
        case .appCode:
            let opened = try await services.appAuthorization.exchangeAppCode(
                held.appCode, client: "photolala", redirectURI: Self.redirectURI, verifier: Self.verifier, nil)
            return Issued(session: (opened.session, nil))
        case .deviceCode:
            let opened = try await services.deviceAuthorization.exchangeDeviceCode(
                held.deviceCode, client: "photolala", nil)
            return Issued(session: (opened.session, nil))
        case .credentials:
            let caller = try await service.caller(held.session)
            return Issued(credentials: try await services.storageAccess.issueCredentials(caller))
        case .link:
            let token = try service.token(.facebook, "dev-bob")
            _ = try await services.linking.link(LinkRequest(provider: .facebook, idToken: token), caller: held.caller)
            return Issued(isLinked: true)
        }
    }
}

extension BrowserSignInFlow {
    /// Signs in and returns the cookie.
    func signIn(_ name: ProviderName, as person: String) async throws -> String {
        guard case .signedIn(let cookie, _) = try await authorize(to: name, for: .signin, as: person) else {
            throw ServiceError.notFound
        }
        return cookie
    }
}
