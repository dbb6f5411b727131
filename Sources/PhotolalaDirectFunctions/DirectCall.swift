import Foundation
import HTTPTypes
import NIOCore
import PhotolalaAPI
import Secrets
import Transport

/// The functions that apps invoke directly.
enum DirectFunction: String {
    case authenticateUser = "auth-AuthenticateUser"
    case createIdentity = "identity-CreateIdentity"
    case linkProvider = "identity-LinkProvider"
    case getSTSToken = "auth-GetSTSToken"

    /// The name of the Lambda function.
    func name(in environment: DeploymentEnvironment) -> String { "photolala-\(rawValue)-\(environment.rawValue)" }
}

/// An API call that a direct function answers.
struct DirectCall {
    let function: DirectFunction
    let event: ByteBuffer

    /// - Returns: `nil` for a call that only the server answers.
    init?(_ request: TransportRequest, server: String) {
        guard request.method == .post, request.url.hasPrefix(server) else { return nil }
        let body = Self.object(request.body)
        var event = body
        switch String(request.url.dropFirst(server.count)) {
        case Route<SignInRequest, SignedIn>.signIn.path: function = .authenticateUser
        case Route<SignUpRequest, SignedIn>.signUp.path: function = .createIdentity
        case Route<ChallengeRequest, Challenge>.challenge.path:
            switch body["purpose"] as? String {
            case ChallengePurpose.signin.rawValue: function = .authenticateUser
            case ChallengePurpose.signup.rawValue: function = .createIdentity
            case ChallengePurpose.link.rawValue:
                guard let session = Self.session(request) else { return nil }
                function = .linkProvider
                event.merge(session) { $1 }
            default: return nil
            }
        case Route<LinkRequest, LinkedProviders>.linkAccount.path:
            guard let session = Self.session(request) else { return nil }
            function = .linkProvider
            event.merge(session) { $1 }
        case Route<EmptyBody, StorageCredentials>.credentials.path:
            guard let session = Self.session(request) else { return nil }
            function = .getSTSToken
            event.merge(session) { $1 }
        default: return nil
        }
        guard let bytes = try? JSONSerialization.data(withJSONObject: event) else { return nil }
        self.event = ByteBuffer(bytes: bytes)
    }

    private static func object(_ body: TransportRequest.Body) -> [String: Any] {
        guard case .bytes(let bytes) = body else { return [:] }
        return (try? JSONSerialization.jsonObject(with: Data(bytes.readableBytesView)) as? [String: Any]) ?? [:]
    }

    /// Returns the access token and its account; `nil` for tokens that are bound to a key, whose proof an event cannot
    /// carry.
    private static func session(_ request: TransportRequest) -> [String: Any]? {
        let scheme = "\(TokenType.bearer.rawValue) "
        guard let field = request.headers[.authorization], field.hasPrefix(scheme) else { return nil }
        let token = String(field.dropFirst(scheme.count))
        struct Claims: Decodable { let sub: String }
        guard let part = token.split(separator: ".").dropFirst().first, let bytes = Base64URL.decode(part),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(bytes))
        else { return nil }
        return ["serviceUserID": claims.sub, "accessToken": token]
    }
}
