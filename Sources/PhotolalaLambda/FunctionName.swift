import HTTPListener
import ServiceWiring

/// The function that an environment runs, from the property `Handler`.
package enum FunctionName: Equatable, Sendable {
    /// HTTP requests of a function URL or of API Gateway.
    case api
    case direct(DirectFunction)
    /// Background jobs, for a schedule.
    case jobs

    package init?(handler: String) {
        switch handler {
        case "api": self = .api
        case "jobs": self = .jobs
        default:
            guard let function = DirectFunction(rawValue: handler) else { return nil }
            self = .direct(function)
        }
    }

    /// The values of `Handler`.
    package static let handlers = ["api", "jobs"] + DirectFunction.allCases.map(\.rawValue)
}

extension Settings {
    /// Fails for settings with which no function may run.
    package func requireFunction() throws {
        guard store.bucket != nil else {
            throw StartProblem("store: must be s3 for AWS Lambda: environments share nothing but the bucket")
        }
        // The development provider signs in any identity, and a function URL is public.
        guard environment != .dev || AllowedHosts.loopback(and: []).contains(publicHost) else {
            throw StartProblem("environment: dev is only for the local emulator, with publicURL on 127.0.0.1")
        }
    }

    private var publicHost: String { String(publicOrigin.drop { $0 != ":" }.dropFirst(3)) }
}
