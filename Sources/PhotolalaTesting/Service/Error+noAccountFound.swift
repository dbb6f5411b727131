import UseCases

extension Error {
    /// Whether the error is `ServiceError.noAccountFound`, whose pending identity differs at each call.
    package var isNoAccountFound: Bool {
        if case .noAccountFound = self as? ServiceError { true } else { false }
    }
}
