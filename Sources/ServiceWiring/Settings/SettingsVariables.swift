/// The environment variables `PHOTOLALA_…`.
package enum SettingsVariables {
    /// The variable for the path of the settings file.
    package static let file = "PHOTOLALA_CONFIG"
    /// The variable for the secret with settings, which only functions on AWS Lambda read.
    package static let secret = "PHOTOLALA_SETTINGS_SECRET"
    /// Variables of the command line and the tests, which may be set in the same shell.
    private static let others: Set = [
        "PHOTOLALA_BUCKET", "PHOTOLALA_CLIENTS_VENV", "PHOTOLALA_PREFIXES", "PHOTOLALA_PROFILE_DIR", "PHOTOLALA_SERVER",
    ]

    /// Returns a problem for each variable that matches no setting, so that misspelt names are not ignored.
    /// - Parameter readsSecret: Whether this program reads the secret.
    static func problems(in environment: [String: String], readsSecret: Bool) -> [String] {
        let known = SettingName.allCases.map(\.environmentVariable) + [file] + (readsSecret ? [secret] : [])
        return environment.keys.filter { $0.hasPrefix("PHOTOLALA_") && !others.contains($0) && !known.contains($0) }
            .sorted().map { name in
                if name == secret { return "\(name): read only by photolala-lambda. Use \(file) on a server" }
                if let retired = RetiredSetting.allCases.first(where: { $0.environmentVariable == name }) {
                    return "\(name) \(retired.advice)"
                }
                return "\(name): unknown setting\(NearestName.hint(name, among: known))"
            }
    }
}
