import Accounts
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
            let condition = call.headers[.ifMatch].map {
                ProfileCondition.oneOf([String($0.filter { $0 != "\"" })])
            }
            return Self.reply(
                try await services.replaceProfile(
                    try call.id(Self.id), with: call.body, if: condition ?? .any, caller: call.caller
                )
            )
        }
    }

    private static func reply(_ tagged: TaggedProfile) -> Reply<Profile> {
        var headers = HTTPFields()
        if let etag = tagged.etag { headers[.eTag] = "\"\(etag)\"" }
        return Reply(tagged.profile, headers: headers)
    }
}
