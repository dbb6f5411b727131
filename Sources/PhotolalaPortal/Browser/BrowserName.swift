/// The name of a browser in the device list, from its `User-Agent`. For display only.
enum BrowserName {
    private static let browsers = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Macintosh", "Mac"),
        ("Windows", "Windows"), ("Linux", "Linux"),
    ]

    static func name(of agent: String) -> String {
        let browser = browsers.first { agent.contains($0.0) }?.1 ?? "Browser"
        return systems.first { agent.contains($0.0) }.map { "\(browser) · \($0.1)" } ?? browser
    }
}
