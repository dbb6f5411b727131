import Flows
import HTTPTypes
import Hummingbird
import PhotolalaAPI

/// The account, its profile and what it stores.
struct UserRoutes {
    private static let id = "serviceUserID"

    func mount(on endpoints: Endpoints) {
        endpoints.withCaller(Route.user) { call, services in
            Reply(try await services.user(try call.id(Self.id), caller: call.caller))
        }
        endpoints.withCaller(Route.usage) { call, services in
            Reply(try await services.usage(try call.id(Self.id), caller: call.caller))
        }
        endpoints.withCaller(Route.profile) { call, services in
            Self.reply(try await services.profile(try call.id(Self.id), caller: call.caller))
        }
        endpoints.withCaller(Route.replaceProfile) { call, services in
            let id: UserID = try call.id(Self.id)
            let expected = try await Self.expected(call, id, services)
            return Self.reply(
                try await services.replaceProfile(id, with: call.body, expected: expected, caller: call.caller)
            )
        }
    }

    /// The tag that the profile must still have, so that `If-Match` holds; `nil` without such a condition.
    private static func expected(
        _ call: Call<Profile>, _ id: UserID, _ services: Services
    ) async throws -> String? {
        guard let text = call.headers[.ifMatch] else { return nil }
        switch IfMatch(text) {
        case nil: throw InvalidRequest(explanation: "If-Match is * or a list of entity tags in quotes.")
        case .tags(let tags) where tags.count == 1: return tags[0]
        case .tags([]): throw FlowError.changedMeanwhile
        case .tags(let tags):
            let current = try await services.profile(id, caller: call.caller).etag
            guard let current, tags.contains(current) else { throw FlowError.changedMeanwhile }
            return current
        case .any:
            guard let current = try await services.profile(id, caller: call.caller).etag else {
                throw FlowError.changedMeanwhile
            }
            return current
        }
    }

    private static func reply(_ tagged: TaggedProfile) -> Reply<Profile> {
        var headers = HTTPFields()
        if let etag = tagged.etag { headers[.eTag] = "\"\(etag)\"" }
        return Reply(tagged.profile, headers: headers)
    }
}
