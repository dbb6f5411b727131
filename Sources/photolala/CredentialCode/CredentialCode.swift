import PhotolalaAPI
import PhotolalaDirectFunctions

/// A Swift file with the sealed credentials of an app.
struct CredentialCode {
    /// The first line, by which a file of this kind is known.
    static let firstLine = """
        // Written by `photolala credential-code`. Contains sealed AWS credentials: do not commit or publish it.
        """

    let sealed: [EmbeddedCredentials.Sealed]
    /// The compilation condition of builds with credentials of other environments than `prod`.
    let condition: String

    var text: String {
        """
        \(Self.firstLine)
        // swift-format-ignore-file
        import PhotolalaDirectFunctions

        extension EmbeddedCredentials {
            /// Credentials that may only invoke Photolala's direct functions.
            static let photolala = EmbeddedCredentials(production + development)

            private static let production: [Sealed] = \(array { $0 == .prod })

            #if \(condition)
            private static let development: [Sealed] = \(array { $0 != .prod })
            #else
            // Releases work with `prod` only.
            private static let development: [Sealed] = []
            #endif
        }

        """
    }

    private func array(_ isIncluded: (DeploymentEnvironment) -> Bool) -> String {
        let values = sealed.filter { isIncluded($0.environment) }.map {
            "        Sealed(.\($0.environment.rawValue), key: \"\($0.key)\", box: \"\($0.box)\")"
        }
        return values.isEmpty ? "[]" : "[\n\(values.joined(separator: ",\n"))\n    ]"
    }
}
