/// The colors of pages that a person chose for a browser.
enum Theme: String, CaseIterable {
    case light, dark

    /// The name of its text.
    var text: TextName { self == .light ? .themeLight : .themeDark }
}
