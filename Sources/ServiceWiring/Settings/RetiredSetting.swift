/// Settings of earlier versions that no longer exist. Their presence fails the start, so that a deployment does not
/// depend on a rule that is not applied.
enum RetiredSetting: String, CaseIterable {
    case appleEmailDomains = "apple.authoritativeEmailDomains"
    case googleEmailDomains = "google.authoritativeEmailDomains"

    var environmentVariable: String { SettingName.environmentVariable(of: rawValue) }

    /// The instruction for the operator.
    var advice: String {
        switch self {
        case .appleEmailDomains, .googleEmailDomains:
            "was removed: every verified address creates and finds hints. Delete the setting"
        }
    }
}
