import Hummingbird
import Logging
import PhotolalaServer

extension TestService {
    /// The public URL of test servers, which DPoP proofs name.
    package static let publicURL = "https://photos.example"

    /// Creates the HTTP server for this service, including the development provider.
    package func server(
        _ settings: ServerSettings = ServerSettings(
            host: "127.0.0.1", port: 0, publicURL: TestService.publicURL
        ),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) throws -> some ApplicationProtocol {
        try buildServer(settings, services: services, development: [apple, google, facebook], logger: logger)
    }
}
