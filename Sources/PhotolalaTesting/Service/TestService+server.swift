import Hummingbird
import Logging
import PhotolalaServer

extension TestService {
    /// Under which test servers are called, as far as devices' proofs are concerned.
    package static let publicURL = "https://photos.example"

    /// The JSON server in front of this service, development provider included.
    package func server(
        _ settings: ServerSettings = ServerSettings(
            host: "127.0.0.1", port: 0, publicURL: TestService.publicURL
        ),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) throws -> some ApplicationProtocol {
        try buildServer(settings, services: services, development: [apple, google, facebook], logger: logger)
    }
}
