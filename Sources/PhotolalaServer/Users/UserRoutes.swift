import Accounts
import HTTPTypes
import Hummingbird
import PhotolalaAPI
import UseCases

/// Routes for the account, its profile and its storage usage.
struct UserRoutes {
    private static let id = "serviceUserID"

    func mount(on endpoints: Endpoints) {
        endpoints.withCaller(Route.user, for: .protection) { call, services in
            Reply(try await services.account.user(try call.id(Self.id), caller: call.caller))
        }
        endpoints.withCaller(Route.usage) { call, services in
            Reply(try await services.usage.lastCount(of: try call.id(Self.id), caller: call.caller))
        }
        endpoints.withCaller(Route.audit) { call, services in
            Reply(
                try await services.account.history(
                    try call.id(Self.id), before: try call.number("before"), limit: try call.number("limit") ?? 50,
                    caller: call.caller
                )
            )
        }
        endpoints.withCaller(Route.profile) { call, services in
            Self.reply(try await services.account.profile(try call.id(Self.id), caller: call.caller))
        }
        endpoints.withCaller(Route.replaceProfile) { call, services in
            let condition = try Self.condition(call.headers)
            return Self.reply(
                try await services.account.replaceProfile(
                    try call.id(Self.id), with: call.body, if: condition, caller: call.caller
                )
            )
        }
    }

    /// Returns the condition that `If-Match` sets on the current profile or picture.
    /// - Throws: For `If-None-Match`, too: a change that ignores its condition could replace what the sender knows nothing
    ///   of.
    static func condition(_ headers: HTTPFields) throws(InvalidRequest) -> ProfileCondition {
        guard headers[.ifNoneMatch] == nil else {
            throw InvalidRequest(explanation: "If-None-Match is not supported here. Use If-Match.")
        }
        guard let header = headers[.ifMatch] else { return .any }
        switch IfMatch(header) {
        case nil: throw InvalidRequest(explanation: "If-Match must be * or a list of quoted entity tags.")
        case .any: return .exists
        case .tags(let tags): return .oneOf(tags)
        }
    }

    private static func reply(_ tagged: TaggedProfile) -> Reply<Profile> {
        Reply(tagged.profile, headers: [.eTag: "\"\(tagged.etag)\""])
    }
}
