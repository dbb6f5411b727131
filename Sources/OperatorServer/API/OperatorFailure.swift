import HTTPTypes
import Hummingbird
import Monitoring
import NIOCore
import ObjectStorage
import Operators
import PhotolalaAPI
import UseCases

/// What the operator API answers to a failed call: the status, a stable code, and a text for the operator.
struct OperatorFailure: Error {
    let status: HTTPResponse.Status
    let code: String
    let detail: String
    /// The cause, for the log only.
    var reason: String?
    /// The value of `Allow`.
    var allowed: String?

    init(_ status: HTTPResponse.Status, _ code: String, _ detail: String, reason: String? = nil) {
        (self.status, self.code, self.detail, self.reason) = (status, code, detail, reason)
    }

    /// A request that the API does not understand.
    static func invalid(_ detail: String) -> OperatorFailure { OperatorFailure(.badRequest, "invalid_request", detail) }

    /// A method that the path does not have.
    /// - Parameter allowed: The value of `Allow`.
    static func methodNotAllowed(_ allowed: String) -> OperatorFailure {
        var failure = OperatorFailure(
            .methodNotAllowed, "method_not_allowed", "The Allow header lists the methods of this path.")
        failure.allowed = allowed
        return failure
    }

    static let notFound = OperatorFailure(.notFound, "account_not_found", "There is no such account.")

    /// Maps errors to answers. This is the only such table of the operators' listener.
    init(_ error: any Error) {
        switch error {
        case let error as OperatorFailure: self = error
        case let refusal as OperatorCalls.Refusal: self.init(refusal)
        case let refusal as AccountSupport.Refusal: self.init(refusal)
        case let refusal as IdentityMoves.Refusal: self.init(refusal)
        case MoveProofs.Refusal.notProven:
            self.init(
                .badRequest, "not_proven",
                "The second token belongs to no identity of the account, to one that was linked within the last day, or to one that is being unlinked."
            )
        case let error as any HTTPResponseError: self.init(status: error.status)
        default: self.init(service: ServiceError(error))
        }
    }

    private init(_ refusal: OperatorCalls.Refusal) {
        switch refusal {
        case .unauthorized:
            self.init(
                .unauthorized, "unauthorized",
                "Send a valid key in Authorization: Bearer plo_…. To create one:  photolala-server operators create"
            )
        case .roleRequired(let role):
            self.init(.forbidden, "role_required", "This requires a key with the role \(role.rawValue).")
        case .reasonRequired:
            self.init(
                .badRequest, "reason_required",
                "Send the reason of the call in Photolala-Reason: 1 to 200 printable characters with a letter or digit."
            )
        }
    }

    private init(_ refusal: AccountSupport.Refusal) {
        switch refusal {
        case .notFound: self = .notFound
        case .unfinished:
            self.init(.conflict, "account_unfinished", "The sign-up of the account was never finished.")
        case .erasing: self.init(.conflict, "account_erasing", "The account is being erased. Nothing was changed.")
        case .deletionScheduled:
            self.init(.conflict, "deletion_scheduled", "The deletion of the account is already scheduled.")
        case .noDeletionScheduled:
            self.init(.conflict, "no_deletion_scheduled", "No deletion of the account is scheduled.")
        case .held(let since):
            self.init(
                .conflict, "already_held", "The account has had a legal hold since \(since.ISO8601Format()).")
        case .disabled(let since):
            self.init(.conflict, "already_disabled", "The account has been disabled since \(since.ISO8601Format()).")
        case .notDisabled: self.init(.conflict, "not_disabled", "The account is not disabled.")
        case .notHeld: self.init(.conflict, "not_held", "The account has no legal hold.")
        case .noIdentity:
            self.init(
                .conflict, "no_identity",
                "The last identity of the account was moved away: its deletion cannot be cancelled.")
        }
    }

    private init(_ refusal: IdentityMoves.Refusal) {
        switch refusal {
        case .notLinked:
            self.init(.notFound, "identity_not_linked", "Identity not found, or its link is not active.")
        case .sameAccount: self.init(.conflict, "already_linked", "The account already has this identity.")
        case .accountClosed:
            self.init(
                .conflict, "account_closed",
                "One of the accounts is disabled or erased, or the one that would get the identity is being deleted.")
        case .inTeamTransfer:
            self.init(.conflict, "identity_in_transfer", "The identity is in an Apple team transfer.")
        case .lastProvider:
            self.init(
                .conflict, "last_provider",
                "It is the only identity of its account. Schedule the deletion of that account first.")
        case .tooManyLinks: self.init(.conflict, "too_many_links", "The account has the largest number of identities.")
        case .requested(let move):
            self.init(
                .conflict, "move_requested",
                "A move to the account is requested already: \(move.uuidString.lowercased()).")
        case .notRequested:
            self.init(
                .conflict, "no_move_requested",
                "This move to the account is not requested, or it was stopped, has expired or is completed.")
        case .unfinished(let move):
            self.init(
                .conflict, "move_unfinished",
                "The identity has left its account. Complete move \(move.uuidString.lowercased()) again.")
        case .tooEarly(let date):
            self.init(.conflict, "too_early", "The move can be completed from \(date.ISO8601Format()).")
        case .secondOperatorRequired:
            self.init(
                .forbidden, "second_operator_required",
                "Another operator must complete the move: a key with another name than that of the request.")
        case .identityTaken:
            self.init(
                .conflict, "identity_taken",
                "The identity was linked to a third account after an interrupted attempt. The move is cancelled.")
        }
    }

    private init(service error: ServiceError) {
        switch error {
        case .notFound: self = .notFound
        case .unknownProvider(let name):
            self.init(.badRequest, "unknown_provider", "This server does not accept the provider \(name).")
        case .invalidToken(let reason):
            self.init(
                .badRequest, "invalid_token",
                "The ID token is malformed, expired, not signed by the provider, or for another audience. The log says which.",
                reason: "\(reason)")
        case .invalidChallenge(let reason):
            self.init(
                .badRequest, "invalid_challenge",
                "The challenge is malformed, expired, used, for another account, or not the nonce of both tokens. The log says which.",
                reason: "\(reason)")
        case .unavailable(let reason):
            self.init(
                .serviceUnavailable, "temporarily_unavailable", "Temporarily unavailable. Try again in a moment.",
                reason: reason)
        case .storeFault(let fault):
            self.init(
                .serviceUnavailable, "temporarily_unavailable", "The store accepts no changes. See the server's log.",
                reason: fault.rawValue)
        case .outOfSpace:
            self.init(.serviceUnavailable, "temporarily_unavailable", "The server is out of disk space.")
        default:
            self.init(.internalServerError, "internal_error", "Internal server error.", reason: "\(error)")
        }
    }

    private init(status: HTTPResponse.Status) {
        switch status {
        case .notFound: self.init(status, "not_found", "Unknown path or method.")
        case .forbidden:
            self.init(status, "other_origin", "This form must be sent from a page of the console (Origin).")
        case .contentTooLarge: self.init(status, "body_too_large", "The request body is too large.")
        case .unsupportedMediaType: self.init(status, "unsupported_media_type", "Send JSON as application/json.")
        case .misdirectedRequest:
            self.init(
                status, "unknown_host", "The Host header names a host that is not in operator.hosts.")
        case let status where status.code < 500: self.init(status, "invalid_request", "Malformed request.")
        default: self.init(status, "internal_error", "Internal server error.", reason: "\(status)")
        }
    }
}

/// Answers failed calls with problem documents (RFC 9457), and logs the causes that the caller must not see.
struct OperatorProblems: RouterMiddleware {
    typealias Context = OperatorContext

    private static let requestID = HTTPField.Name("X-Request-ID")

    private struct Problem: Encodable {
        let title: String
        let status: Int
        let detail: String
        let code: String
        let requestID: String
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let failure: OperatorFailure
        do {
            return try await next(request, context)
        } catch {
            failure = OperatorFailure(error)
        }
        context.logger.log(
            level: failure.status.code >= 500 ? .error : .info, .operatorCallFailed, "operator call failed",
            metadata: ["code": "\(failure.code)", "reason": "\(failure.reason ?? failure.detail)"])
        let problem = Problem(
            title: failure.status.reasonPhrase, status: failure.status.code, detail: failure.detail,
            code: failure.code, requestID: context.requestID)
        var response = try OperatorAnswer.json(problem, status: failure.status)
        response.headers[.contentType] = "application/problem+json"
        if let name = Self.requestID { response.headers[name] = context.requestID }
        if failure.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        if let allowed = failure.allowed { response.headers[.allow] = allowed }
        return request.method == .head ? response.createHeadResponse() : response
    }
}
