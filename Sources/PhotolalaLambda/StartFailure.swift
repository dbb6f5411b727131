import ServiceWiring

/// Why a function cannot start.
package struct StartFailure {
    /// The text for the log, as the server would print it.
    package let reason: String
    /// The report to Lambda. Callers get it, so it does not name settings or the bucket.
    package let report: InvocationFailure

    package init(_ error: any Error) {
        let type: String
        switch error {
        case let problems as SettingsProblems: (type, reason) = ("invalid_settings", "\(problems)")
        case let problem as StartProblem: (type, reason) = ("start_problem", "\(problem)")
        default: (type, reason) = ("start_problem", "unexpected error: \(error)")
        }
        report = InvocationFailure(type, "The service cannot start. Its log has the reason.")
    }
}
