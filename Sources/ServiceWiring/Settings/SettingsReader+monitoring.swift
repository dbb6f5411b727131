import Foundation
import Transport

/// Where traces are sent, and how many.
package struct TraceSettings {
    let url: String
    /// The percentage of requests whose traces are recorded, of those without a caller's decision.
    let percent: Int
}

extension SettingsReader {
    /// Returns the collector of traces; `nil` if nothing is traced.
    mutating func traces() -> TraceSettings? {
        let percent = integer(.tracesPercent, default: 1, in: 0...100)
        guard let url = text(.tracesOTLP) else {
            if text(.tracesPercent) != nil { report("traces.otlp: required with traces.percent") }
            return nil
        }
        guard let parts = URLComponents(string: url), parts.scheme == "http" || parts.scheme == "https",
            parts.host?.isEmpty == false, parts.user == nil, parts.password == nil, parts.fragment == nil,
            VerbatimURL.isVerbatim(url)
        else {
            // The value is not shown because it may contain a password.
            report("traces.otlp: must be an http or https URL without user, password or fragment")
            return nil
        }
        guard !["", "/"].contains(parts.path) else {
            report("traces.otlp: must end in the collector's path for traces, as http://127.0.0.1:4318/v1/traces does")
            return nil
        }
        return TraceSettings(url: url, percent: percent)
    }

    /// Returns the namespace of metrics in CloudWatch; `nil` if none are written.
    mutating func emfNamespace() -> String? {
        guard let text = text(.metricsEMF) else { return nil }
        guard text.utf8.count <= 255, !text.hasPrefix("AWS/"), text.wholeMatch(of: /[A-Za-z0-9.\-_\/#:]+/) != nil else {
            report(
                "metrics.emf: must be a CloudWatch namespace of at most 255 characters A-Za-z0-9.-_/#: that does not begin with AWS/"
            )
            return nil
        }
        return text
    }
}
