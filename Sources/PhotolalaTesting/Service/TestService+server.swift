import Hummingbird
import Logging
import PhotolalaServer

extension TestService {
    /// The JSON server in front of this service, development provider included.
    package func server(
        _ settings: ServerSettings = ServerSettings(host: "127.0.0.1", port: 0, authCallsPerMinute: 0),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) -> some ApplicationProtocol {
        buildServer(settings, services: services, development: [apple, google], logger: logger)
    }
}
