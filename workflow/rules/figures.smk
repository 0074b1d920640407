rule figure:
    input:
        inputs("figure"),
    output:
        files=multiext("results/{scale}/figures/fig{figure}", ".csv", *OTHER_FORMATS),
        png=report(
            "results/{scale}/figures/fig{figure}.png",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "{figure}", "scale": "{scale}"},
        ),
        stamp="results/{scale}/stamps/figures/fig{figure}.json",
    log:
        "results/{scale}/logs/figures/fig{figure}.log",
    benchmark:
        "results/{scale}/benchmarks/figures/fig{figure}.tsv"
    conda:
        "../../envs/nonconvex.yaml"
    threads: 1
    resources:
        mem_mb=memory("figure"),
        runtime=minutes("figure"),
    params:
        plan=plan("figure"),
        code=code("figure"),
    message:
        "Drawing figure {wildcards.figure}"
    shell:
        "python -m nonconvex figure --plan {params.plan:q} --digest {params.code} "
        "--input {input} --output {output.files} {output.png} --stamp {output.stamp} > {log} 2>&1"
