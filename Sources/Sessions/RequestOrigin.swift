import PhotolalaAPI

/// Where the request of a task comes from.
package enum RequestOrigin {
    /// The country of the client's address; `nil` if it is not known, and in jobs and commands.
    @TaskLocal package static var country: CountryCode?
}
