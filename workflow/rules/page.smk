rule page:
    input:
        inputs("page"),
    output:
        page="results/{scale}/index.html",
        stamp="results/{scale}/stamps/page.json",
    log:
        "results/{scale}/logs/page.log",
    benchmark:
        "results/{scale}/benchmarks/page.tsv"
    conda:
        "../../envs/nonconvex.yaml"
    threads: 1
    resources:
        mem_mb=memory("page"),
        runtime=minutes("page"),
    params:
        plan=plan("page"),
        code=code("page"),
    message:
        "Writing results/{wildcards.scale}/index.html"
    shell:
        "python -m nonconvex page --plan {params.plan:q} --digest {params.code} "
        "--input {input} --output {output.page} --stamp {output.stamp} > {log} 2>&1"
